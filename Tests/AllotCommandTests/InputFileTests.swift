import Foundation
import TestSupport
import Testing

@Suite(.blocks) struct InputFileTests {
    @Test(
        "A missing input, and a folder as input, are errors",
        arguments: [
            ("none.csv", "there is no such file (No such file or directory); check its name"),
            ("file/none.csv", "a part of the path is a file, not a folder (Not a directory); check its name"),
            ("Experiments", "the path leads to a folder (Is a directory); name a file in it"),
        ])
    func missing(path: String, reason: String) throws {
        let workspace = try Workspace.withButton(and: ["file": ""])
        try workspace.run("assign", path, "-o", "out.csv").expectFailure("cannot read \(path): \(reason)")
        #expect(try workspace.files == ["file"])
    }

    @Test("An input that may not be read is an error", .enabled(if: getuid() != 0, "root reads everything"))
    func unreadable() throws {
        let workspace = try Workspace.withButton(and: ["in.csv": "user_id\n007\n"])
        chmod(workspace.url.appendingPathComponent("in.csv").path, 0)
        try workspace.run("assign", "in.csv", "-o", "out.csv").expectFailure(
            "cannot read in.csv: reading it is not permitted (Permission denied); check its permissions")
        #expect(try workspace.files == ["in.csv"])
    }

    @Test("A closed standard input is an error")
    func closedStandardInput() throws {
        let workspace = try Workspace.withButton()
        try workspace.shell(#""$ALLOT" assign - -o out.csv <&-"#).expectFailure(
            "cannot read standard input: it is closed (Bad file descriptor); name a file instead")
        #expect(try workspace.files == [])
    }
}
