import Glibc
import Synchronization

/// An output that appears under its name only when it is complete.
///
///     let output = try AtomicOutput(path: "assigned.csv")
///     try output.write(bytes)
///     try output.commit()
///
/// The bytes go to a file without a name in the same folder; `commit()` gives it the name, in
/// place of a file that had it, without waiting for the disk. Until then a process that fails or is killed changes nothing and leaves nothing.
/// (Where a file system has no unnamed files, a hidden `.NAME.allot-PID` takes their place; it is removed with the
/// output, but not when the process is killed.) A new file gets the mode that the umask allows, one that replaces a
/// file the mode of that file. A symbolic link stays and its target is replaced; other hard links keep the old bytes.
/// What is no file, such as standard output, `/dev/null` or a FIFO, is written directly.
public final class AtomicOutput: ByteSink {
    private struct State: ~Copyable, Sendable {
        var staged: StagedFile?
        var direct: FileDescriptor?
        var isOpen = true
    }

    /// How messages name the output: its path, or `standard output`.
    public let name: String
    private let option: String
    private let descriptor: Int32
    private let state: Mutex<State>

    /// Opens an output; `-` is standard output. `option` is the flag that named the path, for messages.
    ///
    /// Throws when the path is a folder, when its folder does not exist, or when it may not be written.
    public convenience init(path: String, option: String = "-o") throws(FileError) {
        try self.init(path: path, option: option, rules: OutputRules())
    }

    /// Opens an output under rules; without `isUnnamedAllowed` as on a file system that has no unnamed files.
    package init(
        path: String, option: String, rules: OutputRules = OutputRules(), isUnnamedAllowed: Bool = true
    ) throws(FileError) {
        name = path == "-" ? "standard output" : path
        self.option = option
        var folder = "."
        do throws(SystemError) {
            switch try OutputTarget(path: path) {
            case .descriptor(let number):
                let direct = FileDescriptor(fcntl(number, F_DUPFD_CLOEXEC, 0))
                guard direct.number >= 0 else { throw SystemError(errno) }
                descriptor = direct.number
                state = Mutex(State(direct: direct))
            case .device:
                let number = SystemCall.retrying { Int(open(path, O_WRONLY | O_CLOEXEC)) }
                guard number >= 0 else { throw SystemError(Int32(-number)) }
                descriptor = Int32(number)
                state = Mutex(State(direct: FileDescriptor(Int32(number))))
            case .file(let file):
                folder = file.folder
                let staged = try StagedFile(for: file, rules: rules, isUnnamedAllowed: isUnnamedAllowed)
                if let replaced = file.replaced, !rules.isPrivate { try staged.resemble(replaced) }
                descriptor = staged.descriptor.number
                state = Mutex(State(staged: staged))
            }
        } catch {
            throw .writing(name, error.number, folder: folder, option: option)
        }
    }

    /// Writes all the bytes, waiting for a slow reader.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        try state.withLock { (state) throws(FileError) in
            precondition(state.isOpen, "an output was written to after it was committed")
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes { bytes in
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                    return SystemCall.retrying { Glibc.write(descriptor, rest.baseAddress, rest.count) }
                }
                if count >= 0 {
                    written += count
                } else if count == -Int(EAGAIN) {
                    var waiting = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
                    SystemCall.wait(&waiting)
                } else {
                    throw failure(SystemError(Int32(-count)))
                }
            }
        }
    }

    /// Makes the output appear under its name. Without it, the output vanishes with this object.
    ///
    /// Throws when the bytes could not be stored; then the name still stands for what it did before.
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
