#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A file that has no name yet, or a temporary one, until it is complete.
struct StagedFile: ~Copyable, Sendable {
    #if os(Linux)
        /// `O_TMPFILE` and `O_PATH`, which Swift does not import. Linux gives them these values on x86-64 and arm64.
        private static let unnamed = 0o20_000_000 | O_DIRECTORY
        private static let pathOnly: Int32 = 0o10_000_000
    #else
        private static let pathOnly: Int32 = O_RDONLY
    #endif

    /// The file to write to.
    let descriptor: FileDescriptor
    private let folder: FileDescriptor
    private let target: OutputFile
    private let rules: OutputRules
    private var temporaryName: String?

    /// Opens a file in the folder of `target`.
    init(
        for target: OutputFile, rules: OutputRules = OutputRules(), isUnnamedAllowed: Bool = true
    ) throws(SystemError) {
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
        if number < 0 {
            (number, temporaryName) = try Self.firstFree(for: target.name) { name in
                openat(folder.number, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
            }
        }
        descriptor = FileDescriptor(number)
        self.folder = folder
        self.target = target
        self.rules = rules
    }

    /// Takes the owner and the mode of the file that this one will replace.
    func resemble(_ replaced: stat) throws(SystemError) {
        // Only root can give files away; for others the new file is their own.
        _ = fchown(descriptor.number, replaced.st_uid, replaced.st_gid)
        guard fchmod(descriptor.number, replaced.st_mode & 0o7777) == 0 else { throw SystemError(errno) }
    }

    deinit {
        if let temporaryName { _ = unlinkat(folder.number, temporaryName, 0) }
    }

    /// Gives the file its final name, in place of the file that had it.
    mutating func publish() throws(SystemError) {
        // No fsync: waiting for the disk can take longer than all the work before it, and protects only against a
        // failing machine, after which a batch is run again.
        try descriptor.flushByClosing()
        if !rules.mayReplace { return try publishWithoutReplacing() }
        #if os(Linux)
            if temporaryName == nil {
                if target.replaced == nil, link(to: target.name) == 0 { return }
                temporaryName = try Self.firstFree(for: target.name) { link(to: $0) }.name
            }
        #endif
        guard let temporaryName else { return }
        guard renameat(folder.number, temporaryName, folder.number, target.name) == 0 else { throw SystemError(errno) }
        self.temporaryName = nil
    }

    /// Gives the file its final name if that is still free: links never replace a file.
    private func publishWithoutReplacing() throws(SystemError) {
        let result: Int32
        if let temporaryName {
            // The temporary name is removed with this value.
            result = linkat(folder.number, temporaryName, folder.number, target.name, 0)
        } else {
            result = link(to: target.name)
        }
        guard result == 0 else { throw SystemError(errno) }
    }

    private func link(to name: String) -> Int32 {
        linkat(AT_FDCWD, Self.procPath(descriptor.number), folder.number, name, AT_SYMLINK_FOLLOW)
    }

    private static func procPath(_ number: Int32) -> String {
        "/proc/self/fd/\(number)"
    }

    /// Tries temporary names until one is free.
    private static func firstFree(
        for name: String, _ attempt: (String) -> Int32
    ) throws(SystemError) -> (result: Int32, name: String) {
        // A name has at most 255 bytes.
        var stem = name
        while stem.utf8.count > 200 { stem.removeLast() }
        for number in 0..<100 {
            let temporaryName = ".\(stem).allot-\(getpid())" + (number == 0 ? "" : "-\(number)")
            let result = attempt(temporaryName)
            if result >= 0 { return (result, temporaryName) }
            if errno != EEXIST { throw SystemError(errno) }
        }
        throw SystemError(EEXIST)
    }
}
