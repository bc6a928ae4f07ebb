import AllotConfiguration
import AllotDefinitions

/// Reads folders of definitions from the objects of a repository, one after another, and each file once.
struct GitFolderReader: ~Copyable {
    private var objects: GitObjects
    private let limits: DefinitionLimits
    /// The files of the folder that was read last, by their identifiers.
    private var files: [String: DefinitionsFolder.Entry] = [:]
    private static let treeLimit = 1 << 26

    enum Folder {
        case tree(id: String, entries: [GitTreeEntry])
        case file, missing
    }

    init(_ repository: GitRepository, limits: DefinitionLimits) throws(GitError) {
        objects = try GitObjects(repository)
        self.limits = limits
    }

    mutating func commit(of revision: String) throws(GitError) -> String? {
        switch try objects.read("\(revision)^{commit}", limit: 0) {
        case .found(let id, _, _): return id
        case .missing: return nil
        case .ambiguous:
            throw GitError("several objects of the repository begin with \(PrintableText(revision)); write more digits")
        }
    }

    /// The folder at a path from the top of the repository, empty for the top itself, in a revision.
    mutating func folder(_ path: String, in revision: String) throws(GitError) -> Folder {
        guard
            case .found(let id, let type, let content) = try objects.read("\(revision):\(path)", limit: Self.treeLimit)
        else { return .missing }
        guard type == "tree" else { return .file }
        guard let content else { throw GitError("the tree \(id) is too large to be a definitions folder") }
        return .tree(id: id, entries: try GitTreeEntry.entries(of: content, id: id))
    }

    /// The number of definitions in a folder; 0 if it does not exist.
    mutating func definitionCount(_ path: String, in revision: String) throws(GitError) -> Int {
        guard case .tree(_, let entries) = try folder(path, in: revision) else { return 0 }
        return entries.count { DefinitionsFolder.reads(String(decoding: $0.name, as: UTF8.self)) }
    }

    mutating func content(of entries: [GitTreeEntry]) throws(GitError) -> DefinitionsFolder.Content {
        var found: [(name: String, entry: DefinitionsFolder.Entry)] = []
        var read: [String: DefinitionsFolder.Entry] = [:]
        for entry in entries {
            let name = String(decoding: entry.name, as: UTF8.self)
            let isRead = DefinitionsFolder.reads(name)
            switch entry.mode {
            case _ where isRead && Array(name.utf8) != entry.name:
                found.append((name, .unreadable(DefinitionsFolder.unreadableName)))
            case 0o40000: found.append((name, .folder([])))
            // Files that are not read are not unpacked either, so that they are recognised by their names only.
            case _ where !isRead: found.append((name, .bytes([])))
            case 0o120000, 0o160000:
                let kind =
                    entry.mode == 0o120000 ? "symbolic link, which is not followed" : "submodule, which is not read"
                found.append((name, .unreadable("this is a \(kind) in a revision of Git; commit the file itself")))
            default:
                let known = files[entry.id]
                let file = if let known { known } else { try self.file(entry.id) }
                read[entry.id] = file
                found.append((name, file))
            }
        }
        files = read
        return DefinitionsFolder.Content(found)
    }

    private mutating func file(_ id: String) throws(GitError) -> DefinitionsFolder.Entry {
        switch try objects.read(id, limit: limits.fileBytes) {
        case .found(_, _, let content?): .bytes(content)
        case .found(_, _, nil): DefinitionsFolder.tooLarge(limits.fileBytes)
        case .missing, .ambiguous:
            throw GitError("the object \(id) is not in this repository, which is damaged; check it with git fsck")
        }
    }
}
