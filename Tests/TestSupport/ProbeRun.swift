import Foundation

/// A program of the tests that runs, to be killed after some lines of output.
package final class ProbeRun {
    private let process = Process()
    private let output = Pipe()
    private let end = DispatchSemaphore(value: 0)

    /// Starts a program of this package.
    package init(_ name: String, _ arguments: [String], environment: [String: String]? = nil) throws {
        process.executableURL = try BuiltProgram(name).url
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.terminationHandler = { [end] _ in end.signal() }
        try process.run()
    }

    deinit {
        // If a test threw; until it has been waited for, the number is no other's.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits for its end, and kills it after some lines of output; returns all whole lines that it wrote.
    package func lines(killedAfter count: Int = .max) throws -> [String] {
        var bytes = Data()
        var isKilled = false
        while let chunk = try output.fileHandleForReading.read(upToCount: 64), !chunk.isEmpty {
            bytes.append(chunk)
            if !isKilled, bytes.count(where: { $0 == UInt8(ascii: "\n") }) >= count {
                isKilled = true
                kill(process.processIdentifier, SIGKILL)
            }
        }
        end.wait()
        let whole = bytes.prefix(through: bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.startIndex)
        return String(decoding: whole, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Whether it has not ended yet.
    package var isRunning: Bool { process.isRunning }

    /// Whether a signal ended it, which ``status`` then is the number of.
    package var isEndedBySignal: Bool { process.terminationReason == .uncaughtSignal }

    /// What it ended with.
    package var status: Int32 { process.terminationStatus }
}
