import Foundation
import Synchronization

/// A program that a test started. It is killed if it still runs when its owner is released.
///
/// Foundation's `Process` reads past a buffer, and sometimes crashes, if more than some 1,360 descriptors are open.
package final class RunningProgram {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The process, which is waited for on a thread of its own.
    private final class Child: Sendable {
        let identifier: pid_t
        /// The exit status as shells report it; `nil` until the program has been waited for.
        private let status = Mutex<Int32?>(nil)
        let ended = DispatchGroup()

        init(_ identifier: pid_t) {
            self.identifier = identifier
            ended.enter()
            Thread.detachNewThread { [self] in
                // It stays a zombie, whose identifier no other process can have, until the status is known here.
                var information = siginfo_t()
                while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
                status.withLock { status in
                    var raw: Int32 = 0
                    while waitpid(identifier, &raw, 0) < 0, errno == EINTR {}
                    status = raw & 0x7f == 0 ? raw >> 8 & 0xff : 128 + raw & 0x7f
                }
                ended.leave()
            }
        }

        var end: Int32? { status.withLock { $0 } }

        func signal(_ signal: Int32) {
            status.withLock { if $0 == nil { kill(identifier, signal) } }
        }
    }

    private let child: Child

    // glibc's, which Swift's module of it does not show.
    private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
    private typealias CloseFrom = @convention(c) (Actions, Int32) -> Int32
    private typealias ChangeFolder = @convention(c) (Actions, UnsafePointer<CChar>) -> Int32
    private static let closeFrom = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"), to: CloseFrom.self)
    private static let changeFolder = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addchdir_np"), to: ChangeFolder.self)

    /// Starts a program. Each stream is a `FileHandle` or a `Pipe`.
    ///
    /// - Parameter environment: its whole environment; `nil` for that of the tests.
    package init(
        _ executable: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String]? = nil,
        input: Any = FileHandle.nullDevice, output: Any = FileHandle.nullDevice, errors: Any = FileHandle.standardError
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, stream) in [input, output, errors].enumerated() {
            let file = (stream as? Pipe).map { target == 0 ? $0.fileHandleForReading : $0.fileHandleForWriting }
            guard let file = file ?? stream as? FileHandle else {
                throw Failure(description: "\(stream) is neither a file nor a pipe")
            }
            posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, Int32(target))
        }
        _ = Self.closeFrom(&actions, 3)
        if let folder { _ = folder.path.withCString { Self.changeFolder(&actions, $0) } }
        // A thread of the tests may block signals, and its children would as well.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let variables = (environment ?? ProcessInfo.processInfo.environment).map { "\($0.key)=\($0.value)" }
        var identifier: pid_t = 0
        let code = Self.withPointers(to: [executable.path] + arguments) { arguments in
            Self.withPointers(to: variables) { variables in
                posix_spawn(&identifier, executable.path, &actions, &attributes, arguments, variables)
            }
        }
        guard code == 0 else {
            throw Failure(description: "\(executable.path) does not start: \(String(cString: strerror(code)))")
        }
        child = Child(identifier)
        // Otherwise a pipe would never end.
        for (target, stream) in [input, output, errors].enumerated() {
            guard let pipe = stream as? Pipe else { continue }
            try? (target == 0 ? pipe.fileHandleForReading : pipe.fileHandleForWriting).close()
        }
    }

    /// Gives `body` the list of strings that C functions take.
    private static func withPointers<Result>(
        to texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }

    deinit {
        signal(SIGKILL)
    }

    package var isRunning: Bool { child.end == nil }

    package var identifier: pid_t { child.identifier }

    /// Sends a signal, unless the program has ended.
    package func signal(_ signal: Int32) {
        child.signal(signal)
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: the exit status as shells report it, 128 and more for a signal; `nil` if the time is over.
    package func waitForEnd(within time: DispatchTimeInterval = .never) -> Int32? {
        BlockingTrait.expectOwnThread()
        guard child.ended.wait(timeout: .now() + time) == .success else { return nil }
        return child.end
    }
}

/// Reads the lines that a program writes to a pipe.
package final class LineReader {
    /// The stream to give to the program.
    package let pipe = Pipe()
    private var unread: [UInt8] = []

    package init() {}

    /// The next whole line without its end. Returns `nil` at the end of the stream, or if the time is over.
    ///
    /// - Parameter milliseconds: the longest wait for more output; -1 for any time.
    package func next(within milliseconds: Int32 = -1) -> [UInt8]? {
        let file = pipe.fileHandleForReading
        var start = 0
        while true {
            if let end = unread[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return Array(unread[..<end])
            }
            start = unread.count
            var descriptor = pollfd(fd: file.fileDescriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, milliseconds) > 0 else { return nil }
            let bytes = file.availableData
            if bytes.isEmpty { return nil }
            unread += bytes
        }
    }
}

/// A program of this package that writes lines, to be killed after some of them.
package final class ProbeRun {
    private let program: RunningProgram
    private let output = LineReader()

    /// Starts a program of this package.
    package init(_ name: String, _ arguments: [String], environment: [String: String]? = nil) throws {
        program = try RunningProgram(
            BuiltProgram(name).url, arguments, environment: environment, output: output.pipe)
    }

    /// Kills the program after a number of lines and waits for its end; returns all whole lines that it wrote.
    package func lines(killedAfter count: Int = .max) -> [String] {
        var lines: [String] = []
        while let line = output.next() {
            lines.append(String(decoding: line, as: UTF8.self))
            if lines.count == count { program.signal(SIGKILL) }
        }
        return lines
    }

    package var isRunning: Bool { program.isRunning }

    /// The exit status as shells report it, once the program has ended.
    package var status: Int32? { program.waitForEnd() }
}
