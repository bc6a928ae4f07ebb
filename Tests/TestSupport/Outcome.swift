import Foundation

/// What a process came to.
package struct Outcome: Sendable {
    /// The exit status; 128 and more for a signal, as shells report it.
    package let status: Int32
    package let output: [UInt8]
    package let errors: String

    /// Runs a process to its end. Its streams are files, so that it never waits for this one to read or write.
    ///
    /// The calling thread waits as well, which keeps the number of processes at the number of threads that test.
    package init(
        of executable: URL, _ arguments: [String], input: [UInt8]? = nil, in folder: URL? = nil,
        environment: [String: String] = [:], inputHandle: FileHandle? = nil, outputHandle: FileHandle? = nil,
        errorHandle: FileHandle? = nil
    ) throws {
        let output = try Self.scratchFile()
        let errors = try Self.scratchFile()
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let scratchInput = try input.map(Self.scratchFile)
        // A process keeps its handles for as long as it likes; thousands of open files slow down and break later ones.
        defer { for file in [output, errors, scratchInput] { try? file?.close() } }
        process.standardInput = scratchInput ?? inputHandle ?? FileHandle.nullDevice
        process.standardOutput = outputHandle ?? output
        process.standardError = errorHandle ?? errors
        let end = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in end.signal() }
        try process.run()
        end.wait()
        status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
        self.output = try Self.content(of: output)
        self.errors = String(decoding: try Self.content(of: errors), as: UTF8.self)
    }

    /// Standard output as text.
    package var text: String {
        String(decoding: output, as: UTF8.self)
    }

    /// The lines of standard error.
    package var errorLines: [String] {
        errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// A file without a name, open for reading and writing.
    private static func scratchFile() throws -> FileHandle {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("allot-stream-\(UUID().uuidString)")
        try Data().write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try FileHandle(forUpdating: url)
    }

    private static func scratchFile(_ bytes: [UInt8]) throws -> FileHandle {
        let file = try scratchFile()
        try file.write(contentsOf: Data(bytes))
        try file.seek(toOffset: 0)
        return file
    }

    private static func content(of file: FileHandle) throws -> [UInt8] {
        try file.seek(toOffset: 0)
        return Array(try file.readToEnd() ?? Data())
    }
}
