import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// An output that appears under its name only when it is complete.
///
/// The bytes go to an unnamed file in the same folder. `commit()` gives it the name, in place of a file that had it,
/// without waiting for the disk. Until then a process that fails or is killed changes nothing and leaves nothing.
/// (Where a file system does not support unnamed files, a hidden `.NAME.allot-PID` takes their place; it is removed
/// with the output, but not if the process is killed.)
///
/// A new file gets the mode that the umask allows; one that replaces a file gets that file's mode. A symbolic link
/// stays and its target is replaced; other hard links keep the old bytes. Anything that is not a regular file, such as
/// standard output, `/dev/null` or a FIFO, is written directly.
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
    public let name: String
    private let option: String
    private let state: Mutex<State>

    /// Opens an output; `-` is standard output. `option` is the flag that gave the path, for messages.
    ///
    /// Throws if the path is a folder, if its folder does not exist, or if it may not be written.
    public convenience init(path: String, option: String = "-o") throws(FileError) {
        try self.init(path: path, option: option, rules: OutputRules())
    }

    /// Opens an output under rules. Without `isUnnamedAllowed` it works as on a file system without unnamed files.
    package init(
        path: String, option: String, rules: OutputRules, isUnnamedAllowed: Bool = true
    ) throws(FileError) {
        name = path == "-" ? "standard output" : path
        self.option = option
        var folder = "."
        do throws(SystemError) {
            switch try OutputTarget(path: path) {
            case .descriptor(let number):
                let direct = FileDescriptor(fcntl(number, F_DUPFD_CLOEXEC, 0))
                guard direct.number >= 0 else { throw SystemError(errno) }
                state = Mutex(State(direct: direct))
            case .device:
                state = Mutex(State(direct: try FileDescriptor(opening: path, O_WRONLY)))
            case .file(let file):
                folder = file.folder
                let staged = try StagedFile(for: file, rules: rules, isUnnamedAllowed: isUnnamedAllowed)
                if let replaced = file.replaced, !rules.isPrivate { try staged.resemble(replaced) }
                state = Mutex(State(staged: staged))
            }
        } catch {
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
            } catch {
                throw failure(error)
            }
        }
    }

    /// Makes the output appear under its name. Without it, the output vanishes with this object.
    ///
    /// Throws if the bytes could not be stored; the file that had the name before is then unchanged.
    public func commit() throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            guard state.isOpen else { return }
            do throws(SystemError) {
                try state.staged?.publish()
                try state.direct?.flushByClosing()
            } catch {
                throw failure(error)
            }
            state = State(isOpen: false)
        }
    }

    private func failure(_ error: SystemError) -> FileError {
        .writing(name, error.number, option: option)
    }
}

/// How an output is created.
package struct OutputRules: Sendable {
    /// Whether only the owner may read the file: mode 0600 from its first byte on, even if it replaces another file.
    package var isPrivate: Bool
    /// Whether it may replace a file.
    package var mayReplace: Bool

    package init(isPrivate: Bool = false, mayReplace: Bool = true) {
        self.isPrivate = isPrivate
        self.mayReplace = mayReplace
    }
}
