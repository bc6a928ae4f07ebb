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

    @Test("Any number of threads gives the same bytes", arguments: [1, 3, 8])
    func withThreads(count: Int) throws {
        let result = try Shop.run("assign", Shop.users, "--threads", "\(count)")
        #expect(try result.output == Shop.bytes("expected-wide.csv"))
    }
}
