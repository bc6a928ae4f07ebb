import TestSupport
import Testing

/// CSV that looks odd, but says clearly what it means.
@Suite(.blocks) struct UnusualCSVTests {
    struct Input: CustomTestStringConvertible {
        let name: String
        let csv: String
        let output: String

        var testDescription: String { name }
    }

    /// `u` is assigned control, `007` green.
    static let inputs = [
        Input(name: "header only", csv: "user_id\n", output: "user_id,button\n"),
        Input(name: "header without line end", csv: "user_id", output: "user_id,button\n"),
        Input(name: "no last line end", csv: "user_id\n007", output: "user_id,button\n007,green\n"),
        Input(name: "BOM", csv: "\u{FEFF}user_id\n007\n", output: "user_id,button\n007,green\n"),
        Input(
            name: "mixed line ends", csv: "user_id,n\r\n007,1\nu,2\r\n",
            output: "user_id,n,button\n007,1,green\nu,2,control\n"
        ),
        Input(
            name: "CRLF within quotes stays", csv: "user_id,n\r\n007,\"a\r\nb\"\r\n",
            output: "user_id,n,button\n007,\"a\r\nb\",green\n"),
        Input(
            name: "quotes stay as they are", csv: "\"user_id\",\"n\"\n\"007\",\"1\"\n",
            output: "\"user_id\",\"n\",button\n\"007\",\"1\",green\n"),
        Input(name: "NUL", csv: "user_id,n\n007,a\0b\n", output: "user_id,n,button\n007,a\0b,green\n"),
        Input(name: "empty lines at the end", csv: "user_id,n\n007,1\n\n\n", output: "user_id,n,button\n007,1,green\n"),
        Input(name: "a column without a name", csv: "user_id,\n007,1\n", output: "user_id,,button\n007,1,green\n"),
    ]

    @Test("Unusual but valid CSV is assigned", arguments: inputs)
    func isAssigned(input: Input) throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.assign(input.csv)
        #expect(try workspace.read("out.csv").utf8.elementsEqual(input.output.utf8))
        #expect(result.text == "")
        #expect(result.status == 0)
    }

    @Test("A file may have ten thousand columns")
    func tenThousandColumns() throws {
        let workspace = try Workspace.withButton()
        let names = (1..<10_000).map { "c\($0)" }.joined(separator: ",")
        let values = (1..<10_000).map { "\($0)" }.joined(separator: ",")
        let result = try workspace.assign("\(names),user_id\n\(values),007\n")
        #expect(result.status == 0)
        let isEqual = try workspace.read("out.csv") == "\(names),user_id,button\n\(values),007,green\n"
        #expect(isEqual)
        try workspace.assign("\(names)\n\(values)\n").expectFailure(
            """
            in.csv has no column "user_id", by which button assigns; name the column of the unit IDs \
            (it has "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", … (9999 \
            in all))
            """)
    }
}
