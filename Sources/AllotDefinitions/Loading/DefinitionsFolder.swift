import AllotConfiguration
import AllotCore
import AllotFiles

struct UnreadFile: Sendable {
    let name: String
    let message: String
}

package enum DefinitionsFolder {
    static let endings = ["yaml", "yml", "json"]

    /// A file's name without its ending: what the file defines.
    static func stem(of name: String) -> String {
        for ending in endings where name.hasSuffix("." + ending) { return String(name.dropLast(ending.utf8.count + 1)) }
        return name
    }

    package enum Entry: Sendable {
        /// The bytes of a file; its first ones, or none, if its name cannot be a definition's.
        case bytes([UInt8])
        /// The first bytes of the files in a folder that would be read one folder up.
        case folder([(name: String, head: [UInt8])])
        case unreadable(String)
        case other
    }

    package struct Content: Sendable {
        var sources: [DefinitionSource] = []
        var unread: [UnreadFile] = []
        var lookalikes: [UnreadFile] = []
        /// The names of folders in the folder, which are not read; without those that have the name of a file.
        var folders: [String] = []
        /// The manifest as it is on disk; `nil` if there is none.
        var manifest: [UInt8]?
        /// Whether the files are all of a folder, and not those that a caller chose.
        var isFolder = false
        /// The state that was read; `nil` for files that are not in a folder on disk.
        var signature: FolderSignature?
        var readAt = Instant(seconds: 0)

        init(sources: [DefinitionSource], unread: [UnreadFile] = [], manifest: [UInt8]? = nil) {
            (self.sources, self.unread, self.manifest) = (sources, unread, manifest)
        }

        /// Identifies what was read, within this process: two states of a folder with equal files have the same one.
        var fingerprint: Int {
            var hasher = Hasher()
            func combine(_ name: String, _ bytes: [UInt8]) {
                hasher.combine(UTF8Key(name))
                hasher.combine(bytes.count)
                bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            }
            for source in sources { combine(source.name, source.bytes) }
            for file in unread + lookalikes { combine(file.name, Array(file.message.utf8)) }
            if let manifest { combine(DefinitionsManifest.name, manifest) }
            return hasher.finalize()
        }

        /// The definitions among everything in a folder, wherever that is; hidden files do not count.
        package init(_ entries: [(name: String, entry: Entry)]) {
            isFolder = true
            let names = Set(entries.map(\.name))
            let sorted = entries.sorted { UTF8Order.precedes($0.name, $1.name) }
            for (name, entry) in sorted where !name.hasPrefix(".") {
                let (isRead, isManifest) = (reads(name), name == DefinitionsManifest.name)
                switch entry {
                case .bytes(let head) where !isRead:
                    noteLookalike(name, Lookalike.problem(ofFile: name, head: head, among: names))
                case .folder(let files) where !isRead:
                    folders.append(name)
                    noteLookalike(name, Lookalike.problem(ofFolder: name, files: files))
                case .bytes(let bytes) where isManifest: manifest = bytes
                case .bytes(let bytes): sources.append(DefinitionSource(name: name, bytes: bytes))
                case .folder: unread.append(UnreadFile(name: name, message: folderMessage(isManifest: isManifest)))
                case .unreadable(let message): unread.append(UnreadFile(name: name, message: message))
                case .other: break
                }
            }
        }

        private mutating func noteLookalike(_ name: String, _ problem: String?) {
            if let problem { lookalikes.append(UnreadFile(name: name, message: problem)) }
        }
    }

    /// The problem of a folder whose name is that of a file to be read: its content would be missing without a word.
    private static func folderMessage(isManifest: Bool) -> String {
        isManifest
            ? "this is a folder, not a manifest; rename it"
            : "this is a folder, not a file; give it a name without this ending, or put the file in its place"
    }

    /// The number of readings after which a folder counts as one that always changes.
    private static let attempts = 5

    /// Reads the sources of a folder. Hidden files are ignored, and files and sub-folders with other endings.
    static func read(
        _ path: String, limits: DefinitionLimits, willRead: @escaping @Sendable (String?) -> Void = { _ in }
    ) throws(DefinitionsError) -> Content { try read(path, limits: limits, willRead: willRead) { $0 } }

    /// Reads the sources of a folder, but for the known ones, and makes something of them. All files are of one state
    /// of the folder: if the state afterwards is not the one that was read, the folder is read again, and what was made
    /// is dropped. `willRead` is called before each file that is read, on any thread and in any order, and with `nil`
    /// before the states are compared, which is at the same time as `make`.
    static func read<Made: Sendable>(
        _ path: String, limits: DefinitionLimits, known: LoadCache = LoadCache(),
        willRead: @escaping @Sendable (String?) -> Void = { _ in }, making make: @escaping @Sendable (Content) -> Made
    ) throws(DefinitionsError) -> Made {
        for attempt in 0..<attempts {
            do throws(SystemError) {
                // Opened once for all files: the path may lead to another folder at any time.
                let folder = try OpenFolder(path: path)
                let content = try read(folder, limits, known, willRead)
                let workers = Workers.forExperiments(content.sources.count)
                @Sendable func present() -> Result<FolderSignature, SystemError> {
                    willRead(nil)
                    return Result { () throws(SystemError) in try FolderSignature(folder, on: workers) }
                }
                if attempt == 0 {
                    let (made, state) = workers.both({ make(content) }, present)
                    if try content.signature == state.get() { return made }
                } else if try content.signature == present().get() {
                    // Someone is copying: nothing is made of half a folder again and again.
                    return make(content)
                }
            } catch {
                // Servers, and commands that write into the folder, may have been given a revision of Git.
                let note =
                    path.contains(":") ? " (a folder on disk is needed here; git worktree makes one of a revision)" : ""
                throw .folder(path: path, reason: error.description + note)
            }
            // Copying a file takes about as long.
            usleep(20_000)
        }
        throw .changing(path: path)
    }

    package static func reads(_ name: String) -> Bool {
        !name.hasPrefix(".") && (endings.contains(ending(of: name)) || name == DefinitionsManifest.name)
    }

    private static func ending(of name: String) -> String {
        name.utf8.lastIndex(of: UInt8(ascii: ".")).map { String(name[name.utf8.index(after: $0)...]) } ?? ""
    }

    private static func read(
        _ folder: OpenFolder, _ limits: DefinitionLimits, _ known: LoadCache,
        _ willRead: @escaping @Sendable (String?) -> Void
    ) throws(SystemError) -> Content {
        let now = Instant.now
        var signature = try FolderSignature(emptying: folder)
        let names = try folder.names().sorted(by: UTF8Order.precedes)
        let files = names.filter(reads)
        let limit = limits.fileBytes
        let found = Workers.forExperiments(files.count).map(files.count, chunk: LoadCache.chunk) { index in
            willRead(files[index])
            var state: FolderSignature.File?
            let entry = Result { () throws(SystemError) in
                try find(files[index], in: folder, limit: limit, known, &state)
            }
            return (name: files[index], entry: entry, state: state)
        }
        var entries: [(name: String, entry: Entry)] = []
        for file in found {
            signature.note(file.state, of: file.name)
            entries.append((file.name, try file.entry.get()))
        }
        for name in names where !name.hasPrefix(".") && !reads(name) {
            entries.append((name, glimpse(name, in: folder)))
        }
        var content = Content(entries)
        content.signature = signature
        content.readAt = now
        return content
    }

    /// Looks at something that is not read. A failure is not a problem, because it is not read anyway.
    private static func glimpse(_ name: String, in folder: OpenFolder) -> Entry {
        guard let kind = (try? folder.status(of: name))?.kind else { return .other }
        func head(_ name: String, in folder: OpenFolder) -> [UInt8] {
            guard (try? folder.status(of: name))?.kind == S_IFREG else { return [] }
            return (try? folder.open(name).head(Lookalike.headLength)) ?? []
        }
        switch kind {
        case S_IFREG: return .bytes(head(name, in: folder))
        case S_IFDIR where name != DefinitionsLoader.testFolder:
            guard let inner = try? folder.folder(name), let names = try? inner.names() else { return .folder([]) }
            let files = names.filter { reads($0) && $0 != DefinitionsManifest.name }.sorted(by: UTF8Order.precedes)
            let base = files.filter { stem(of: $0) == "base" }
            return .folder((base + files.prefix(Lookalike.folderLimit)).map { (name: $0, head: head($0, in: inner)) })
        case S_IFDIR: return .folder([])
        default: return .other
        }
    }

    /// Reads a regular file, and notes its state; `nil` if it cannot be found. Throws an error that may pass, such as
    /// that of a full table of descriptors.
    private static func find(
        _ name: String, in folder: OpenFolder, limit: Int, _ known: LoadCache, _ state: inout FolderSignature.File?
    ) throws(SystemError) -> Entry {
        let special = Entry.unreadable(
            "this is not a regular file and is not read; remove it, or give it another ending")
        do throws(SystemError) {
            // The status comes before opening: a sub-folder without read permission is one all the same, a pipe's
            // writer must not be woken, and a file that is repaired after a failure has another state than the one
            // that was noted.
            var status = try folder.status(of: name)
            let found = FolderSignature.File(status)
            state = found
            if let bytes = known.bytes(of: name, in: found) { return .bytes(bytes) }
            if status.kind == S_IFDIR { return .folder([]) }
            guard status.kind == S_IFREG else { return special }
            let file = try folder.open(name)
            status = try file.status()
            state = FolderSignature.File(status)
            guard status.kind == S_IFREG else { return special }
            return try file.readToEnd(limit: limit, status: status).map(Entry.bytes) ?? tooLarge(limit)
        } catch {
            guard [ENOENT, ELOOP, EACCES].contains(error.number) else { throw error }
            return .unreadable(message(error, name))
        }
    }

    /// A file with more bytes than are read.
    package static func tooLarge(_ limit: Int) -> Entry { .unreadable(SourceText.tooLarge(limit)) }

    /// The problem of a name that Swift cannot represent.
    package static let unreadableName = "the file's name is not UTF-8; rename it"

    private static func message(_ error: SystemError, _ name: String) -> String {
        switch error.number {
        case ENOENT where name.unicodeScalars.contains("\u{FFFD}"): unreadableName
        case ENOENT: "this symbolic link points to nothing; fix or remove it"
        case ELOOP: "this is a symbolic link loop; fix or remove it"
        default: "the file may not be read (permission denied); allow it, or remove the file"
        }
    }
}
