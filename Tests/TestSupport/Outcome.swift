import Foundation

/// The exit status and the output of a program that ran to its end.
package struct Outcome: Sendable {
    /// The exit status; 128 and more for a signal, as shells report it.
    package let status: Int32
    package let output: [UInt8]
    package let errors: String

    /// The program did not end in time.
    package struct Unfinished: Error, CustomStringConvertible {
        package let description: String
    }

    /// What a program would have ended with.
    package init(status: Int32, output: [UInt8] = [], errors: String = "") {
        self.status = status
        self.output = output
        self.errors = errors
    }

    /// Runs a program to its end. Its streams are files, so that it never waits for this process to read or write.
    ///
    /// The calling thread waits too, so a test has the trait `.blocks`. That keeps the number of processes at the
    /// number of its threads.
    ///
    /// - Parameter environment: its whole environment; `nil` for that of the tests.
    package init(
        of executable: URL, _ arguments: [String], input: [UInt8]? = nil, in folder: URL? = nil,
        environment: [String: String]? = nil, inputHandle: FileHandle? = nil, outputHandle: FileHandle? = nil,
        errorHandle: FileHandle? = nil, within time: DispatchTimeInterval = .never
    ) throws {
        let output = try Self.scratchFile()
        let errors = try Self.scratchFile()
        let scratchInput = try input.map(Self.scratchFile)
        // A process keeps its handles after its end; thousands of open files slow down and break later ones.
        defer { for file in [output, errors, scratchInput] { try? file?.close() } }
        let program = try RunningProgram(
            executable, arguments, in: folder, environment: environment,
            input: scratchInput ?? inputHandle ?? FileHandle.nullDevice, output: outputHandle ?? output,
            errors: errorHandle ?? errors)
        let status = program.waitForEnd(within: time)
        self.output = try Self.content(of: output)
        self.errors = String(decoding: try Self.content(of: errors), as: UTF8.self)
        guard let status else {
            throw Unfinished(description: "\(executable.path) does not end: \(self.errors)")
        }
        self.status = status
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
    package static func scratchFile() throws -> FileHandle {
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

    /// All that has been written to a file.
    package static func content(of file: FileHandle) throws -> [UInt8] {
        try file.seek(toOffset: 0)
        return Array(try file.readToEnd() ?? Data())
    }
}
