import Foundation
import TestSupport
import Testing

/// The program that writes records in a process of its own.
enum ClientStoreProbe {
    /// The record that the probe writes under a number; `nil` for bytes that are not one.
    static func number(of bytes: [UInt8]) -> Int? {
        guard bytes.count > 8 else { return nil }
        let number = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count == 9 + (number &* 7919) % 300_000 else { return nil }
        for (index, byte) in bytes.dropFirst(8).enumerated()
        where byte != UInt8(truncatingIfNeeded: number &+ index) { return nil }
        return number
    }

    /// A probe that runs.
    final class Run {
        let process = Process()
        private let output = Pipe()
        private let end = DispatchSemaphore(value: 0)

        init(_ arguments: [String], environment: [String: String]? = nil) throws {
            process.executableURL = try BuiltProgram("client-store-probe").url
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

        /// Waits for its end, and kills it after some lines of output; returns all that it wrote.
        func lines(killedAfter count: Int = .max) throws -> [String] {
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
    }
}
