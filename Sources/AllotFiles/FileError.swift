/// The reason why a file could not be read or written.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A class of failures, for programs that act on them.
    package enum Code: Sendable {
        /// The file, or the folder for it, does not exist.
        case notFound
        case isFolder
        /// Permission is missing, or the file system is read-only.
        case notPermitted
        case diskFull
        case quotaExceeded
        /// The program that reads the output has stopped reading.
        case readerGone
        /// The file exists and was not to be replaced.
        case exists
        /// Any other error that the system reported.
        case other
    }

    package let code: Code
    /// The path as it was given, or `standard input`, `standard output`.
    package let path: String
    /// The system's error number (`errno`).
    package let systemErrorNumber: Int32
    /// The failure, its reason, and how to fix it.
    public let description: String

    package var isAbsence: Bool { SystemError(systemErrorNumber).isAbsence }

    /// The failure to read `path` that the system reported as `number`.
    static func reading(_ path: String, _ number: Int32) -> FileError {
        let (code, reason, fix): (Code, String?, String) =
            switch number {
            case ENOENT: (.notFound, "there is no such file", "check its name")
            case ENOTDIR: (.notFound, "a part of the path is a file, not a folder", "check its name")
            case EISDIR: (.isFolder, "the path leads to a folder", "name a file in it")
            case EACCES, EPERM: (.notPermitted, "reading it is not permitted", "check its permissions")
            case EBADF: (.other, "it is closed", "name a file instead")
            default: (.other, nil, "check the file and the disk")
            }
        return FileError("read", path, number, code: code, reason: reason, fix: fix)
    }

    /// The failure to write `path` that the system reported as `number`. `option` is the flag that named the path.
    static func writing(_ path: String, _ number: Int32, folder: String = ".", option: String?) -> FileError {
        let with = option.map { " with \($0)" } ?? ""
        let elsewhere = "write elsewhere\(with)"
        let (code, reason, fix): (Code, String?, String) =
            switch number {
            case ENOSPC: (.diskFull, "the disk is full", "free some space or \(elsewhere)")
            case EDQUOT: (.quotaExceeded, "your disk quota is used up", "free some space or \(elsewhere)")
            case EPIPE: (.readerGone, "the program that reads it has stopped", "let that program read to the end")
            case EISDIR: (.isFolder, "the path leads to a folder", "name a file\(with)")
            case EACCES, EPERM: (.notPermitted, "writing is not permitted", "check the permissions or \(elsewhere)")
            case EEXIST: (.exists, "the file already exists", "name another\(with), or replace it")
            case EROFS: (.notPermitted, "the file system is read-only", elsewhere)
            case ENOENT: (.notFound, "there is no folder \(folder)", "create it or \(elsewhere)")
            case ENOTDIR: (.notFound, "\(folder) is not a folder", elsewhere)
            case EBADF: (.other, "it is closed", "name a file\(with)")
            default: (.other, nil, elsewhere)
            }
        return FileError("write", path, number, code: code, reason: reason, fix: fix)
    }

    /// The refusal to write a file that is needed as it is. `other` says what that is.
    static func shared(_ path: String, with other: String, option: String?) -> FileError {
        FileError(
            code: .other, path: path, systemErrorNumber: EEXIST,
            description: "\(path) is \(other); name another file\(option.map { " with \($0)" } ?? "")")
    }

    private init(code: Code, path: String, systemErrorNumber: Int32, description: String) {
        self.code = code
        self.path = path
        self.systemErrorNumber = systemErrorNumber
        self.description = description
    }

    private init(_ verb: String, _ path: String, _ number: Int32, code: Code, reason: String?, fix: String) {
        let system = String(cString: strerror(number))
        let cause = reason.map { "\($0) (\(system))" } ?? system
        self.init(
            code: code, path: path, systemErrorNumber: number, description: "cannot \(verb) \(path): \(cause); \(fix)")
    }
}
