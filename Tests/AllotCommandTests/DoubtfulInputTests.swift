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
                #expect(!declared.contains("NULL"), "\(command + output)")
                #expect(!declared.contains("1e+06"), "\(command + output)")
            }
        }
    }

    @Test("A test of the ratio is left out where rows are events of users, and made where few users have two rows")
    func events() throws {
        let workspace = try Workspace.withButton()
        try workspace.assign("user_id\n" + String(repeating: "u1\n", count: 500)).expectErrors(
            "    SRM not tested: the counts are rows, not users; many rows have the user_id of the row before "
                + "(allot srm counts each user once)", status: nil)
        try workspace.assign("user_id\nu1\n" + (1...200).map { "u\($0)\n" }.joined()).expectErrors(
            "    SRM p = ", status: nil)
    }

    @Test(
        "A column without a name is named by an empty value", arguments: [["--unit-column="], ["--unit-column", ""]])
    func emptyName(option: [String]) throws {
        let workspace = try Workspace.withButton(and: ["in.csv": "\"\",n\n007,1\n"])
        #expect(try workspace.run(["assign", "in.csv"] + option).text == "\"\",n,button\n007,1,green\n")
    }
}
