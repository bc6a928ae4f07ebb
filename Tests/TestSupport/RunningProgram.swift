import Foundation

/// A program that a test started. It is killed if it still runs when its owner is released.
package final class RunningProgram {
    private let process = Process()
    private let ended = DispatchGroup()

    /// Starts a program. Each stream is a `FileHandle` or a `Pipe`.
    ///
    /// - Parameter environment: its whole environment; `nil` for that of the tests.
    package init(
        _ executable: URL, _ arguments: [String], in folder: URL? = nil, environment: [String: String]? = nil,
        input: Any = FileHandle.nullDevice, output: Any = FileHandle.nullDevice, errors: Any = FileHandle.standardError
    ) throws {
        process.executableURL = executable
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        if let environment { process.environment = environment }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        ended.enter()
        process.terminationHandler = { [ended] _ in ended.leave() }
        do {
            try process.run()
        } catch {
            ended.leave()
            throw error
        }
    }

    deinit {
        // While it has not been waited for, no other process can have its identifier.
        signal(SIGKILL)
    }

    package var isRunning: Bool { process.isRunning }

    package var identifier: pid_t { process.processIdentifier }

    /// Sends a signal, unless the program has ended.
    package func signal(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: the exit status as shells report it, 128 and more for a signal; `nil` if the time is over.
    package func waitForEnd(within time: DispatchTimeInterval = .never) -> Int32? {
        guard ended.wait(timeout: .now() + time) == .success else { return nil }
        return process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
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
