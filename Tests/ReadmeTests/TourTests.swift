import Foundation
import TestSupport
import Testing

/// Every command of the README's tour prints what the README shows.
@Suite struct TourTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A command and the lines that the README shows below it.
    struct Shown: Sendable, CustomStringConvertible {
        let command: String
        var output: String
        var description: String { command }
    }

    private static let shown: [Shown] = {
        var found: [Shown] = []
        var isOpen = false
        // Empty lines belong to the output if more of it follows.
        var emptyLines = 0
        let readme = (try? String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)) ?? ""
        for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("    $ ") {
                found.append(Shown(command: String(line.dropFirst(6)), output: ""))
                isOpen = true
                emptyLines = 0
            } else if isOpen, line.hasPrefix("    ") {
                found[found.count - 1].output += String(repeating: "\n", count: emptyLines) + line.dropFirst(4) + "\n"
                emptyLines = 0
            } else if isOpen, line.isEmpty {
                emptyLines += 1
            } else {
                isOpen = false
            }
        }
        return found
    }()

    @Test("The tour has commands")
    func theTourHasCommands() {
        #expect(Self.shown.count >= 5)
    }

    @Test("Command", arguments: shown)
    func command(_ shown: Shown) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", shown.command]
        process.currentDirectoryURL = Self.root
        let products = try BuiltProgram("allot").url.deletingLastPathComponent().path
        process.environment = ["PATH": "\(products):/usr/bin:/bin"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try #require(try output.fileHandleForReading.readToEnd())
        process.waitUntilExit()
        #expect(String(decoding: bytes, as: UTF8.self) == shown.output)
    }
}
