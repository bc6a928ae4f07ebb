/// The reason why a file could not be read or written.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system's error number (`errno`); 0 for a refusal.
    package let systemErrorNumber: Int32
    /// The failure, its reason, and how to fix it.
    public let description: String

    package var isAbsence: Bool { systemErrorNumber == ENOENT }

    package static func reading(_ path: String, _ number: Int32) -> FileError {
        let (reason, fix): (String?, String) =
            switch number {
            case ENOENT: ("there is no such file", "check its name")
            case ENOTDIR: ("a part of the path is a file, not a folder", "check its name")
            case EISDIR: ("the path leads to a folder", "name a file in it")
            case EACCES, EPERM: ("reading it is not permitted", "check its permissions")
            case EBADF: ("it is closed", "name a file instead")
            default: (nil, "check the file and the disk")
            }
        return FileError("read", path, number, reason, fix)
    }

    /// The failure to write `path` that the system reported as `number`. `option` is the flag that named the path.
    static func writing(_ path: String, _ number: Int32, folder: String = ".", option: String?) -> FileError {
        let with = option.map { " with \($0)" } ?? ""
        let elsewhere = "write elsewhere\(with)"
        let (reason, fix): (String?, String) =
            switch number {
            case ENOSPC: ("the disk is full", "free some space or \(elsewhere)")
            case EDQUOT: ("your disk quota is used up", "free some space or \(elsewhere)")
            case EPIPE: ("the program that reads it has stopped", "let that program read to the end")
            case EISDIR: ("the path leads to a folder", "name a file\(with)")
            case EACCES, EPERM: ("writing is not permitted", "check the permissions or \(elsewhere)")
            case EEXIST: ("the file already exists", "name another\(with), or replace it")
            case EROFS: ("the file system is read-only", elsewhere)
            // A link that leads nowhere, or a folder of the system.
            case ENOENT where stat(ofLink: folder) != nil: ("nothing can be created in \(folder)", elsewhere)
            case ENOENT: ("there is no folder \(folder)", "create it or \(elsewhere)")
            case ENOTDIR: ("\(folder) is not a folder", elsewhere)
            case EBADF: ("it is closed", "name a file\(with)")
            default: (nil, elsewhere)
            }
        return FileError("write", path, number, reason, fix)
    }

    /// The refusal to write a file that is needed as it is. `other` says what that is.
    static func shared(_ path: String, with other: String, option: String?) -> FileError {
        FileError(refusal: "\(path) is \(other); name another file\(option.map { " with \($0)" } ?? "")")
    }
}

extension FileError {
    init(refusal: String) { self.init(systemErrorNumber: 0, description: refusal) }

    private init(_ verb: String, _ path: String, _ number: Int32, _ reason: String?, _ fix: String) {
        let system = SystemError(number).description
        let cause = reason.map { "\($0) (\(system))" } ?? system
        self.init(systemErrorNumber: number, description: "cannot \(verb) \(path): \(cause); \(fix)")
    }
}
