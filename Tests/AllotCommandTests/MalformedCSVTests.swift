import TestSupport
import Testing

/// CSV that cannot be read: one line that says where, exit 1, no output file.
@Suite(.blocks) struct MalformedCSVTests {
    struct Input: CustomTestStringConvertible {
        let name: String
        let csv: String
        let message: String

        var testDescription: String { name }
    }

    static let inputs = [
        Input(
            name: "empty file", csv: "",
            message: "in.csv:1:1: the file is empty; its first line must name the "
                + "columns"),
        Input(
            name: "only a BOM", csv: "\u{FEFF}",
            message: "in.csv:1:1: the file is empty; its first line must name the columns"),
        Input(
            name: "no header", csv: "\nuser_id\na\n",
            message: "in.csv:1:1: the first line is empty; it must name the columns"),
        Input(
            name: "data in place of the header", csv: "007,DE\nu,US\n",
            message: """
                in.csv has no column "user_id", by which button assigns; name the column of the unit IDs \
                (it has "007", "DE")
                """),
        Input(
            name: "semicolons", csv: "user_id;country\na;DE\n",
            message: """
                in.csv:1:1: the fields are separated by semicolons, not by commas (if it is one column, put its name \
                in quotes); export the file with commas, or add --delimiter ';'
                """),
        Input(
            name: "semicolons between quotes", csv: "\"user,id\";\"country\"\na;DE\n",
            message: """
                in.csv:1:1: the fields are separated by semicolons, not by commas (if it is one column, put its name \
                in quotes); export the file with commas, or add --delimiter ';'
                """),
        Input(
            name: "tabs", csv: "user_id\tcountry\na\tDE\n",
            message: """
                in.csv:1:1: the fields are separated by tabs, not by commas (if it is one column, put its name in \
                quotes); export the file with commas, or add --delimiter tab
                """),
        Input(
            name: "bars", csv: "user_id|country\na|DE\n",
            message: """
                in.csv:1:1: the fields are separated by vertical bars, not by commas (if it is one column, put its \
                name in quotes); export the file with commas, or add --delimiter '|'
                """),
        Input(
            name: "a column twice", csv: "user_id,country,user_id\na,DE,b\n",
            message: """
                in.csv: the columns 1 and 3 are both named "user_id"; rename one of them
                """),
        Input(
            name: "too few fields", csv: "user_id,country\na,DE\nb\n",
            message: "in.csv:3:2: 1 field where the header has 2; add the missing one"),
        Input(
            name: "too many fields", csv: "user_id,country\na,DE,x\n",
            message: "in.csv:2:6: 3 fields where the header has 2; put fields that hold a comma in quotes"),
        Input(
            name: "an empty line", csv: "user_id,country\n\na,DE\n",
            message: "in.csv:2:1: an empty line where the header has 2 fields; remove it"),
        Input(
            name: "unclosed quote", csv: "user_id,country\na,DE\nb,\"US\nc,US\n",
            message: "in.csv:3:3: this quote is never closed; close it, or double it if it belongs to the text"),
        Input(
            name: "unclosed quote in the header", csv: "user_id,\"country\na,DE\n",
            message: "in.csv:1:9: this quote is never closed; close it, or double it if it belongs to the text"),
        Input(
            name: "quote inside a field", csv: "user_id,country\na,D\"E\n",
            message: """
                in.csv:2:4: a quote inside an unquoted field; put the whole field in quotes and double the quotes in it
                """),
        Input(
            name: "text after a quote", csv: "user_id,country\na,\"D\"E\n",
            message: "in.csv:2:6: text after a closing quote; a quote inside a quoted field is written twice"),
        Input(
            name: "lone CR", csv: "user_id,country\na,DE\rb,US\n",
            message: """
                in.csv:2:5: a carriage return without a line feed; end lines with LF or CRLF, or put the field in quotes
                """),
        Input(
            name: "lone CR as the line end of all", csv: "user_id,country\ra,DE\rb,US\r",
            message: """
                in.csv:1:1: the lines end with carriage returns alone, as on an old Mac; convert the file into a pipe: \
                tr '\\r' '\\n' < users.csv | allot … -
                """),
        Input(
            name: "columns are counted in characters", csv: "user_id,country\n\u{1F986},D\"E\n",
            message: """
                in.csv:2:4: a quote inside an unquoted field; put the whole field in quotes and double the quotes in it
                """),
        Input(
            name: "lines within quotes count", csv: "user_id,country\r\n\"a\r\nb\",DE\r\nc\r\n",
            message: "in.csv:4:2: 1 field where the header has 2; add the missing one"),
    ]

    @Test("A malformed row stops the run with line and column", arguments: inputs)
    func stops(input: Input) throws {
        let workspace = try Workspace.withButton()
        try workspace.assign(input.csv).expectFailure(input.message)
        #expect(try workspace.files == ["in.csv"])
    }

    /// Whole rows would be taken as unit IDs.
    @Test("A header with other separators names no unit column, unless it is quoted")
    func otherSeparators() throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.assign("user_id;country\na;DE\n", "--unit-column", "user_id;country")
        #expect(result.status == 1)
        #expect(result.errors.contains("the fields are separated by"))
        #expect(try workspace.files == ["in.csv"])
        #expect(try workspace.assign("\"user_id;country\"\na\n", "--unit-column", "user_id;country").status == 0)
        #expect(try workspace.assign("user_id,a;b\na,1\n").status == 0)
    }

    @Test("After a malformed row the old output is unchanged")
    func oldOutputStays() throws {
        let workspace = try Workspace.withButton()
        try workspace.write("out.csv", "old\n")
        #expect(try workspace.assign("user_id,country\na\n").status == 1)
        #expect(try workspace.read("out.csv") == "old\n")
        #expect(try workspace.files == ["in.csv", "out.csv"])
    }

    @Test("Errors call standard input by its name")
    func standardInputHasAName() throws {
        let result = try Workspace.withButton().run("assign", input: Array("user_id,country\na\n".utf8))
        #expect(result.errors == "allot: standard input:2:2: 1 field where the header has 2; add the missing one\n")
        #expect(result.status == 1)
    }

    /// 100 MB without a line end: refused once the limit is reached, without keeping them.
    @Test("An endless line is an error, not endless memory")
    func oneEndlessLine() throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.shell(
            """
            printf 'user_id\\n' > in.csv && truncate -s 100M in.csv &&
                "$ALLOT" assign in.csv -o out.csv --at \(Shop.instant)
            """)
        result.expectFailure(
            "in.csv:2:1: the record that begins here is longer than 16777216 bytes; is a quote in it never closed?")
        #expect(try workspace.files == ["in.csv"])
    }
}
