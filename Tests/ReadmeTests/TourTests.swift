import Foundation
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

    @Test func theTourHasCommands() {
        #expect(Self.shown.count >= 5)
    }

    @Test(arguments: shown)
    func command(_ shown: Shown) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", shown.command]
        process.currentDirectoryURL = Self.root
        process.environment = ["PATH": "\(try products()):/usr/bin:/bin"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try #require(try output.fileHandleForReading.readToEnd())
        process.waitUntilExit()
        #expect(String(decoding: bytes, as: UTF8.self) == shown.output)
    }

    /// The folder of the executables that were built with these tests.
    private func products() throws -> String {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/" {
            let executable = folder.appendingPathComponent("allot").path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: executable, isDirectory: &isFolder), !isFolder.boolValue {
                return folder.path
            }
            folder = folder.deletingLastPathComponent()
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
