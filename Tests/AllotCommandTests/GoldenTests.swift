import Foundation
import TestSupport
import Testing

/// What an independent implementation assigned, byte by byte, whichever way the rows come in and go out.
@Suite(.blocks) struct GoldenTests {
    @Test("A file is assigned as in the golden file")
    func fromFileToFile() throws {
        let workspace = try Workspace()
        let result = try Shop.run("assign", Shop.users, "-o", workspace.url.appendingPathComponent("out.csv").path)
        result.expectOutput("")
        #expect(try workspace.read("out.csv").utf8.elementsEqual(Shop.bytes("expected-wide.csv")))
        #expect(try workspace.files == ["out.csv"])
    }

    @Test("Standard input is assigned as in the golden file", arguments: [["-"], []])
    func fromStandardInput(input: [String]) throws {
        let result = try Shop.run(["assign"] + input, input: Shop.bytes("users.csv"))
        #expect(try result.output == Shop.bytes("expected-wide.csv"))
        #expect(result.status == 0)
    }

    @Test("Pipes give the same bytes")
    func throughPipes() throws {
        let result = try Program.shell(
            #"cat users.csv | "$ALLOT" assign - --definitions . --at \#(Shop.instant) | cat"#, in: Shop.folder)
        #expect(try result.output == Shop.bytes("expected-wide.csv"))
    }

    @Test("Any number of threads gives the same bytes", arguments: 1...8)
    func withThreads(count: Int) throws {
        let result = try Shop.run("assign", Shop.users, "--threads", "\(count)")
        #expect(try result.output == Shop.bytes("expected-wide.csv"))
    }

    /// More rows than fit in one chunk, so that several threads have work.
    @Test("Several chunks give the rows of one")
    func severalChunks() throws {
        let workspace = try Workspace.withButton()
        let note = String(repeating: "x", count: 8000)
        let units = (0..<400).map { "unit-\($0)" }
        try workspace.write("in.csv", "user_id,note\n" + units.map { "\($0),\(note)\n" }.joined())
        let buckets = try Program.run(["bucket", "button"] + units).text.split(separator: "\n")
        let rows = zip(units, buckets).map { unit, line in
            let second = line.split(separator: " ").last.flatMap { Int($0) } ?? -1
            return "\(unit),\(note),\(second < 500_000 ? "control" : "green")\n"
        }
        for count in ["1", "4"] {
            let result = try workspace.run("assign", "in.csv", "--threads", count)
            // Not compared within #expect, which would show both in full.
            let isEqual = result.text == "user_id,note,button\n" + rows.joined()
            #expect(isEqual, "with \(count) threads")
        }
    }
}
