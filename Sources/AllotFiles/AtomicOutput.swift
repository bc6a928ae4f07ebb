/// An output that appears under its name only when it is complete.
///
/// The bytes go to an unnamed file in the same folder. `commit()` gives it the name, in place of a file that had it,
/// and waits for the disk only where its rules say so. Until then a process that fails or is killed changes nothing and
/// leaves nothing. (Where a file system does not support unnamed files, a hidden one with the suffix `.temporary` takes
/// their place; it is removed with the output, but not if the process is killed.)
///
/// A new file gets the mode that the umask allows; one that replaces a file gets that file's mode. A symbolic link
/// stays and its target is replaced; other hard links keep the old bytes. Anything that is not a regular file, such as
/// standard output, `/dev/null` or a FIFO, is written directly. A file of a private key is never replaced, unless the
/// output is a private key too.
///
/// ```swift
/// let output = try AtomicOutput(path: "assigned.csv")
/// try output.write(Array("unit,variant\n".utf8))
/// try output.commit()  // the file appears whole, or not at all
/// ```
public final class AtomicOutput: Sendable {
    private struct State: ~Copyable, Sendable {
        var staged: StagedFile?
        var direct: FileDescriptor?
        var isOpen = true
    }

    /// The name of the output in messages: its path, or `standard output`.
    package let name: String
    private let option: String?
    private let isDurable: Bool
    private let state: Lock<State>

    /// Opens an output; `-` is standard output. `option` is the flag that gave the path, for messages.
    ///
    /// Throws if the path is a folder or the file of a private key, if its folder does not exist, or if it may not be
    /// written.
    public convenience init(path: String, option: String = "-o") throws(FileError) {
        try self.init(path: path, option: option, rules: OutputRules())
    }

    /// Opens an output under rules. Without `isUnnamedAllowed` it works as on a file system without unnamed files.
    package init(path: String, option: String?, rules: OutputRules, isUnnamedAllowed: Bool = true) throws(FileError) {
        name = path == "-" ? "standard output" : path
        self.option = option
        isDurable = rules.isDurable
        var folder = "."
        var isKey = false
        do throws(SystemError) {
            switch try OutputTarget(path: path) {
            case .descriptor(let number):
                let direct = FileDescriptor(fcntl(number, F_DUPFD_CLOEXEC, 0))
                guard direct.number >= 0 else { throw SystemError(errno) }
                state = Lock(State(direct: direct))
            case .device:
                state = Lock(State(direct: try FileDescriptor(opening: path, O_WRONLY)))
            case .file(let file):
                folder = file.folder
                isKey = rules.mayReplace && !rules.isPrivate && file.replacesPrivateKey
                guard !isKey else { throw SystemError(EEXIST) }
                let staged = try StagedFile(for: file, rules: rules, isUnnamedAllowed: isUnnamedAllowed)
                if let replaced = file.replaced, !rules.isPrivate { try staged.descriptor.resemble(replaced) }
                state = Lock(State(staged: staged))
            }
        } catch {
            if isKey { throw .shared(name, with: "the file of a private key", option: option) }
            throw .writing(name, error.number, folder: folder, option: option)
        }
    }

    /// Writes all the bytes, and waits for a slow reader.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            precondition(state.isOpen, "an output was written to after it was committed")
            do throws(SystemError) {
                try state.staged?.descriptor.writeAll(bytes)
                try state.direct?.writeAll(bytes)
            } catch { throw failure(error) }
        }
    }

    /// Makes the output appear under its name. Without it, the output vanishes with this object.
    ///
    /// Throws if the bytes could not be stored; the file that had the name before is then unchanged, unless the output
    /// is to be durable and only its folder could not be stored on disk.
    public func commit() throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            guard state.isOpen else { return }
            do throws(SystemError) {
                try state.staged?.publish()
                try state.direct?.flushByClosing()
                // Pipes and terminals have no disk.
                if isDurable, try state.direct?.status().kind == S_IFREG { try state.direct?.synchronize() }
            } catch { throw failure(error) }
            state = State(isOpen: false)
        }
    }

    package static func write(
        _ bytes: [UInt8], to path: String, option: String? = nil, rules: OutputRules = OutputRules()
    ) throws(FileError) {
        let output = try AtomicOutput(path: path, option: option, rules: rules)
        try output.write(bytes)
        try output.commit()
    }

    private func failure(_ error: SystemError) -> FileError { .writing(name, error.number, option: option) }
}

package struct OutputRules: Sendable {
    /// Whether only the owner may read the file: mode 0600 from its first byte on, even if it replaces another file.
    package var isPrivate: Bool
    package var mayReplace: Bool
    /// Whether the contents are on disk before the file gets its name, and the name is when the output is committed:
    /// for what cannot be made again after a loss of power.
    package var isDurable: Bool

    package init(isPrivate: Bool = false, mayReplace: Bool = true, isDurable: Bool = false) {
        (self.isPrivate, self.mayReplace, self.isDurable) = (isPrivate, mayReplace, isDurable)
    }
}

enum OutputTarget {
    /// A descriptor that the process was started with: standard output, `/dev/stdout`, `/dev/fd/3`.
    case descriptor(Int32)
    /// Something other than a file, such as `/dev/null` or a FIFO, which is opened and written directly.
    case device
    case file(OutputFile)

    init(path: String) throws(SystemError) {
        if let number = Self.inheritedDescriptor(path) {
            self = .descriptor(number)
            return
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw SystemError(errno) }
            self = .file(try OutputFile(resolving: path, replaced: nil))
            return
        }
        switch status.kind {
        case S_IFREG: self = .file(try OutputFile(resolving: path, replaced: status))
        case S_IFDIR: throw SystemError(EISDIR)
        default: self = .device
        }
    }

    private static func inheritedDescriptor(_ path: String) -> Int32? {
        if path == "-" || path == "/dev/stdout" { return STDOUT_FILENO }
        if path == "/dev/stderr" { return STDERR_FILENO }
        return ["/dev/fd/", "/proc/self/fd/"].first(where: path.hasPrefix).flatMap { Int32(path.dropFirst($0.count)) }
    }
}

struct OutputFile {
    let folder: String
    let name: String
    /// The status of the file that it replaces; `nil` if that does not exist, or does not matter.
    var replaced: stat?
}

extension OutputFile {
    /// Follows the symbolic links at the end of the path, even to a file that does not exist yet.
    init(resolving path: String, replaced: stat?) throws(SystemError) {
        var path = path
        var linkCount = 0
        while let target = Self.linkTarget(of: path) {
            linkCount += 1
            guard linkCount <= 40 else { throw SystemError(ELOOP) }
            path = target.hasPrefix("/") ? target : Self.join(Self.split(path).folder, target)
        }
        (folder, name) = Self.split(path)
        self.replaced = replaced
        // "out/" is a folder, whether it exists or not.
        guard !name.isEmpty else { throw SystemError(EISDIR) }
    }

    /// Whether the file that it replaces has a private key in PEM, which cannot be made again after a loss.
    var replacesPrivateKey: Bool {
        guard replaced != nil, let file = try? FileDescriptor(openingFile: Self.join(folder, name), O_RDONLY),
            let head = try? file.head(1 << 16)
        else { return false }
        return head.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .contains { $0.starts(with: "-----BEGIN ".utf8) && $0.contains("PRIVATE KEY-----".utf8) }
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// The target of a symbolic link. Returns `nil` if the path is not a symbolic link.
    private static func linkTarget(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}

/// A file that has no name yet, or a temporary one, until it is complete.
struct StagedFile: ~Copyable, Sendable {
    #if os(Linux)
        /// `O_TMPFILE` and `O_PATH`, which Swift does not import. Linux gives them these values on x86-64 and arm64.
        private static let unnamed = 0o20_000_000 | O_DIRECTORY
        private static let pathOnly: Int32 = 0o10_000_000
    #else
        private static let pathOnly: Int32 = O_RDONLY
    #endif

    let descriptor: FileDescriptor
    private let folder: FileDescriptor
    private let target: OutputFile
    private let rules: OutputRules
    private var temporaryName: String?

    init(for target: OutputFile, rules: OutputRules, isUnnamedAllowed: Bool = true) throws(SystemError) {
        guard rules.mayReplace || target.replaced == nil else { throw SystemError(EEXIST) }
        let mode: mode_t = rules.isPrivate ? 0o600 : 0o666
        let folder = try FileDescriptor(opening: target.folder, Self.pathOnly | O_DIRECTORY)
        // Replacing a file needs no permission to write it, but a person who took that permission away meant it.
        if target.replaced != nil, faccessat(folder.number, target.name, W_OK, AT_EACCESS) != 0 {
            throw SystemError(errno)
        }
        var number: Int32 = -1
        #if os(Linux)
            if isUnnamedAllowed {
                number = openat(folder.number, ".", Self.unnamed | O_WRONLY | O_CLOEXEC, mode)
                // Without /proc an unnamed file could never be given its name.
                if number >= 0, access(Self.procPath(number), F_OK) != 0 {
                    _ = close(number)
                    number = -1
                }
            }
        #endif
        if number < 0 { (number, temporaryName) = try Self.named(in: folder, mode) }
        descriptor = FileDescriptor(number)
        self.folder = folder
        (self.target, self.rules) = (target, rules)
    }

    deinit { if let temporaryName { _ = unlinkat(folder.number, temporaryName, 0) } }

    mutating func publish() throws(SystemError) {
        try descriptor.flushByClosing()
        // Most outputs do without: waiting for the disk can take longer than all the work before it.
        if rules.isDurable { try descriptor.synchronize() }
        if rules.mayReplace { try publishInPlace() } else { try publishWithoutReplacing() }
        // Others may lock the file under its final name.
        descriptor.unlock()
        if rules.isDurable { try DurableFolder.synchronize(target.folder) }
    }

    /// Gives the file its final name, and takes it from the file that had it.
    private mutating func publishInPlace() throws(SystemError) {
        #if os(Linux)
            if temporaryName == nil {
                if target.replaced == nil, link(to: target.name) == 0 { return }
                // Otherwise another process may mistake it for a leftover. Not all file systems support locks.
                _ = try? descriptor.lock()
                let name = DurableFolder.temporaryName()
                guard link(to: name) == 0 else { throw SystemError(errno) }
                temporaryName = name
            }
        #endif
        guard let temporaryName else { return }
        guard renameat(folder.number, temporaryName, folder.number, target.name) == 0 else { throw SystemError(errno) }
        self.temporaryName = nil
    }

    /// Gives the file its final name if that is still free: links never replace a file.
    private func publishWithoutReplacing() throws(SystemError) {
        // A temporary name is removed with this value.
        let result = temporaryName.map { linkat(folder.number, $0, folder.number, target.name, 0) }
        guard (result ?? link(to: target.name)) == 0 else { throw SystemError(errno) }
    }

    private func link(to name: String) -> Int32 {
        linkat(AT_FDCWD, Self.procPath(descriptor.number), folder.number, name, AT_SYMLINK_FOLLOW)
    }

    private static func procPath(_ number: Int32) -> String { "/proc/self/fd/\(number)" }

    /// Creates an empty file with a temporary name, and locks it, so that it is not mistaken for a leftover.
    private static func named(
        in folder: borrowing FileDescriptor, _ mode: mode_t
    ) throws(SystemError) -> (number: Int32, name: String) {
        for _ in 0..<100 {
            let name = DurableFolder.temporaryName()
            let number = openat(folder.number, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
            guard number >= 0 else { throw SystemError(errno) }
            let file = FileDescriptor(number, isOwned: false)
            // Another process may have removed it before it was locked. Not all file systems support locks.
            if (try? file.lock()) != false, try file.status().st_nlink > 0 { return (number, name) }
            _ = unlinkat(folder.number, name, 0)
            _ = close(number)
        }
        throw SystemError(EBUSY)
    }
}
