import TestSupport
import Testing

/// Sentences of commands on unit IDs and instants that are probably not what they are read as.
@Suite(.blocks) struct DoubtfulInputTests {
    private static let csv =
        "user_id,variant\nNULL,green\nNULL,control\nu1,green\n1e+06,control\nu2,green\n u3,control\n"
    private static let word =
        #"2 rows have "NULL" as the unit ID in "user_id", and all of them are one unit; if they have "#
        + "no unit, leave the field empty, or declare the word as null"
    private static let number =
        #"1 row has a floating-point number as the unit ID in "user_id", such as "1e+06", which is "#
        + "another unit than the whole number; write IDs as whole numbers or as text"
    private static let blank =
        #"1 row has a unit ID in "user_id" that begins or ends with a blank, such as " u3", which is another unit "#
        + "than the ID without it; remove the blanks"

    @Test("assign, srm, diff and distribution name doubtful unit IDs, as text and as JSON")
    func warnings() throws {
        let workspace = try Workspace.withButton()
        let assigned = try workspace.assign(Self.csv)
        for sentence in [Self.word, Self.number, Self.blank] { #expect(assigned.errorLines.contains(sentence)) }
        for command in [
            ["srm", "in.csv", "--shares", "green=1,control=1"], ["distribution", "in.csv", "--salts", "0"],
            ["diff", "Experiments", "Experiments", "--users", "in.csv"],
        ] {
            for output in [[], ["--json"]] {
                let text = try workspace.run(command + output).text.replacing("\\\"", with: "\"")
                for sentence in [Self.word, Self.number, Self.blank] {
                    #expect(text.contains(sentence), "\(command + output)\n\(text)")
                }
                let declared = try workspace.run(command + output + ["--null", "NULL", "--null", "1e+06"]).text
                #expect(!declared.contains("NULL") && !declared.contains("1e+06"), "\(command + output)")
            }
        }
    }

    @Test(
        "assign, srm, diff and distribution name a field of very many lines, which two stray quotes make of rows",
        arguments: [99, 100])
    func longFields(lines: Int) throws {
        let workspace = try Workspace.withButton()
        let rows = (0..<200).map { row in
            "u\(row),\(row % 2 == 0 ? "green" : "control"),\(row == 5 ? "\"n" : row == 4 + lines ? "n\"" : "n")\n"
        }
        let sentence =
            "the quote in line 7 opens a field of 100 lines; if its lines are rows, the quote is a stray one: remove "
            + "it, or put the field in quotes and double it"
        let assigned = try workspace.assign("user_id,variant,note\n" + rows.joined())
        #expect(assigned.status == 0)
        #expect(assigned.errorLines.first?.hasPrefix("\(201 - lines) rows in ") == true)
        #expect(assigned.errorLines.contains(sentence) == (lines == 100))
        for command in [
            ["srm", "in.csv", "--shares", "green=1,control=1"], ["distribution", "in.csv", "--salts", "0"],
            ["diff", "Experiments", "Experiments", "--users", "in.csv"],
        ] {
            for output in [[], ["--json"]] {
                let text = try workspace.run(command + output).text
                #expect(text.contains(sentence) == (lines == 100), "\(command + output)\n\(text)")
            }
        }
    }

    /// Of the columns that an experiment reads, those that have a twin that it does not read.
    @Test(
        "assign and diff name a column that is spelt as one that is read",
        arguments: [
            ("user_id,country,Country", "country", "Country"), ("user_id,COUNTRY,country", "country", "COUNTRY"),
            ("userId,user_id,country", "user_id", "userId"), ("user_id,n,N,country", "", ""),
            ("user_id,country,n", "", ""), ("user_id,plan,Plan,country", "", ""),
        ])
    func spellings(header: String, read: String, other: String) throws {
        let workspace = try Workspace.withButton()
        let experiment = "status: running\naudience: { country: DE, Plan: a, plan: a }\nvariants: [{ key: a }]\n"
        try workspace.write("Experiments/button.yaml", experiment)
        let sentence =
            #"the column "\#(read)" is read, and "\#(other)", which is spelt differently, is not; if the values are "#
            + "in the other one, rename both"
        let row = header.split(separator: ",").map { _ in "x" }.joined(separator: ",")
        let lines = try workspace.assign("\(header)\n\(row)\n").errorLines
        #expect(lines.filter { $0.contains("spelt differently") } == (read.isEmpty ? [] : [sentence]))
        let compared = try workspace.run("diff", "Experiments", "Experiments", "--users", "in.csv").text
        #expect(compared.contains(sentence) == !read.isEmpty && compared.contains("spelt") == !read.isEmpty)
    }

    @Test("A word that is declared as null is not a unit, and the row stays as it was")
    func declared() throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.assign("user_id,n\nNULL,1\n\"NULL\",2\nnull,3\n", "--null", "NULL")
        let lines = try workspace.read("out.csv").split(separator: "\n")
        #expect(lines.prefix(3) == ["user_id,n,button", "NULL,1,", "\"NULL\",2,"])
        #expect(lines.last != "null,3,")
        #expect(result.errors.contains("2 rows have no valid user_id"))
    }

    @Test(
        "A word that is declared as null is an empty time, too",
        arguments: [
            ([], #""NULL" in the column "at" is not an instant; "#), (["--null", "NULL"], #""at" is empty; "#),
        ] as [([String], String)])
    func declaredTime(options: [String], fault: String) throws {
        let workspace = try Workspace.withButton()
        try workspace.write("in.csv", "user_id,at\nu1,NULL\n")
        let result = try Program.run(["assign", "in.csv", "--time-column", "at"] + options, in: workspace.url)
        #expect(result.errors.hasPrefix("allot: in.csv:2:4: \(fault)an instant is RFC 3339"))
    }

    @Test("A test of the ratio is left out where rows are events of users, and made where few users have two rows")
    func events() throws {
        let workspace = try Workspace.withButton()
        let log = try workspace.assign("user_id\n" + String(repeating: "u1\n", count: 500))
        #expect(
            log.errors.contains(
                "    SRM not tested: the counts are rows, not users; many rows have the user_id of the row before "
                    + "(allot srm counts each user once)"))
        let few = try workspace.assign("user_id\nu1\n" + (1...200).map { "u\($0)\n" }.joined())
        #expect(few.errors.contains("    SRM p = "))
    }

    @Test(
        "A column without a name is named by an empty value", arguments: [["--unit-column="], ["--unit-column", ""]])
    func emptyName(option: [String]) throws {
        let workspace = try Workspace.withButton()
        try workspace.write("in.csv", "\"\",n\n007,1\n")
        #expect(try workspace.run(["assign", "in.csv"] + option).text == "\"\",n,button\n007,1,green\n")
    }
}
