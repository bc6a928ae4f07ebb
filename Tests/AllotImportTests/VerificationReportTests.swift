import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports
import TestSupport
import Testing

@testable import AllotImport

/// Recordings that name variants otherwise, and that have several rows of a unit.
struct VerificationReportTests {
    private static let files = [
        "base.yaml": """
        config_sections: { S: { settings: { c: { value: x }, on: { value: false }, n: { value: 1 } } } }
        """,
        "e.yaml": """
        status: running
        audience: { user_id: { $ne: guest } }
        variants: [{ key: "0", buckets: [0%..<50%] }, { key: "1", buckets: [50%..<80%] }]
        """,
        "f.yaml": """
        status: running
        variants: [{ key: "a", overrides: { S: { on: true } } }, { key: "b" }]
        """,
        "g.yaml": """
        status: running
        variants: [{ key: control, overrides: { S: { n: 10 } } }, { key: treatment, overrides: { S: { n: 20 } } }]
        """,
    ]

    private static let loaded = Result {
        try DefinitionsLoader(now: Instant(seconds: 0)).load(
            VerificationReportTests.files.map { DefinitionSource(name: $0.key, bytes: Array($0.value.utf8)) })
    }

    private func report(csv: String, nullWords: [String] = []) throws -> VerificationReport {
        let folder = try TemporaryFolder()
        return try VerificationReport(
            of: try folder.write(csv, to: "assigned.csv"), Self.loaded.get(), at: Instant(seconds: 0)
        ) { $0.nullWords = nullWords }
    }

    /// The variant of a user in the experiment of an index; "" for none.
    private static func assigned(_ user: String, _ index: Int) throws -> String {
        try loaded.get().plan.assignments(
            for: Subject(attributes: ["user_id": .string(user)]), at: Instant(seconds: 0))[index].variant ?? ""
    }

    /// The report on 60 units whose variants ("" for none) are recorded under other names.
    private func report(_ name: (_ index: Int, _ variant: String) -> String) throws -> VerificationReport {
        var csv = "user_id,experiment,variant\n"
        for index in 0..<60 {
            let user = index == 0 ? "guest" : "u\(index)"
            let variant = try Self.assigned(user, 0)
            csv += "\(user),e,\(name(index, variant))\n"
        }
        return try report(csv: csv)
    }

    @Test(
        "Names that stand for variants one to one reassign no unit; any other naming does",
        arguments: [
            (["0": "0", "1": "1", "": ""], true, nil),
            (["0": "blue", "1": "red", "": ""], true, #"no unit is reassigned: "blue" = "0", "red" = "1""#),
            (
                ["0": "blue", "1": "red", "": "disabled"], true,
                #"no unit is reassigned: "blue" = "0", "disabled" = no variant, "red" = "1""#
            ),
            (["0": "0", "1": "red", "": "off"], true, #"no unit is reassigned: "off" = no variant, "red" = "1""#),
            (["0": "Blue", "1": "red", "": "away"], false, #"names differ in "e": "Blue" = "0", "red" = "1""#),
            (["0": "0", "1": "1", "": "NULL"], true, #"no unit is reassigned: "NULL" = no variant"#),
            (["0": "1", "1": "0", "": "disabled"], false, #"names differ in "e": "disabled" = no variant"#),
            (["0": "blue", "1": "blue", "": "disabled"], false, #"names differ in "e": "disabled" = no variant"#),
            (["0": "blue", "1": "0", "": ""], false, nil), (["0": "in", "1": "in", "": ""], false, nil),
            (["0": "off", "1": "on", "": ""], true, #"no unit is reassigned: "off" = "0", "on" = "1""#),
            (["0": "0", "1": "1", "": "0"], false, nil), (["0": "0", "1": "", "": ""], false, nil),
            (["0": "disabled", "1": "1", "": ""], false, nil),
        ] as [([String: String], Bool, String?)])
    func names(_ names: [String: String], isExact: Bool, note: String?) throws {
        let report = try report { _, variant in names[variant] ?? "" }
        #expect(report.isExact == isExact, "\(report.lines)")
        if isExact { #expect(report.lines[0] == "60 of 60 units keep their variant") }
        #expect(report.lines.contains { $0.hasPrefix("Note: ") } == (note != nil), "\(report.lines)")
        if let note { #expect(report.lines.contains { $0.hasSuffix(note) }, "\(report.lines)") }
    }

    @Test(
        "Names that nothing shows to be names count as other variants",
        arguments: [
            "u1,e,blue", "u1,e,blue\nu1,e,blue", "u1,f,off", "u1,f,blue\nu2,f,red\nu3,f,green", "u1,on,20",
            "u1,absent,blue\nu1,absent,blue",
            (0..<9).map { _ in "u1,f,p\nu2,f,q\nu3,f,r" }.joined(separator: "\n"), "u1,c,disabled\nu2,c,none\nu3,c,off",
        ])
    func unprovenNames(rows: String) throws {
        let report = try report(csv: "user_id,experiment,variant\n\(rows)\n")
        #expect(!report.isExact)
        #expect(!report.lines.contains { $0.hasPrefix("Note: names") }, "\(report.lines)")
    }

    @Test("Rows of two units that moved are found among other names")
    func movedUnits() throws {
        var moved = 0
        let report = try report { _, variant in
            let name = ["0": "blue", "1": "red"][variant] ?? "disabled"
            guard variant == "1", moved < 2 else { return name }
            moved += 1
            return "blue"
        }
        #expect(report.lines[0] == "58 of 60 units keep their variant")
        #expect(report.lines.contains { $0.contains(#"2  "e": "blue" was recorded, now "1""#) }, "\(report.lines)")
    }

    @Test("Units are counted once, however many rows and experiments they have")
    func units() throws {
        let second = try Self.assigned("u2", 1)
        let csv = try """
        user_id,experiment,variant
        u1,e,\(Self.assigned("u1", 0))
        u1,e,other
        u1,e,other
        u1,f,\(Self.assigned("u1", 1))
        u2,f,\(second)
        "u2",f,\(second)

        """
        let report = try report(csv: csv)
        #expect(report.lines[0] == "1 of 2 units keep their variant (4 of 6 rows)")
        #expect(report.lines.last?.hasSuffix(#"such as "u1""#) == true, "\(report.lines)")
        let json = String(decoding: report.json.canonicalBytes, as: UTF8.self)
        for member in [#""kept_units":1"#, #""rows":6"#, #""units":2"#] { #expect(json.contains(member), "\(json)") }
    }

    @Test("Words for nothing are counted as unit IDs, and those that are declared are missing in every column")
    func nullWords() throws {
        let csv = try """
        user_id,experiment,variant
        u1,f,\(Self.assigned("u1", 1))
        "NULL",f,\(Self.assigned("NULL", 1))
        1.0,f,
        guest,e,NULL

        """
        let report = try report(csv: csv)
        for text in [
            #"1 row has "NULL" as the unit ID in "user_id""#, "1 row has a floating-point number as the unit ID",
        ] {
            #expect(report.lines.contains { $0.hasPrefix(text) }, "\(report.lines)")
            #expect(
                MarkdownRenderer.lines(report.report).contains { $0.contains("1 row has") },
                "\(MarkdownRenderer.lines(report.report))")
        }
        #expect(report.json[["warnings"]] == .strings(report.lines.filter { $0.hasPrefix("1 row has") }))
        let declared = try self.report(csv: csv, nullWords: ["NULL", "1.0"])
        #expect(
            declared.lines == ["2 of 2 units keep their variant", "2 rows have no unit ID, which proves nothing"])
        #expect(declared.json[["warnings"]] == [])
    }

    /// Rows of the setting `on`, of which "a" is true and the base and "b" false, and of `n`, of which "a" is 10.
    @Test(
        "Indexes of variations stand for the values of a setting, and texts that are values for themselves",
        arguments: [
            ("on", ["0", "1"], true, #"no unit is reassigned: "0" = "true", "1" = "false""#),
            ("on", ["left", "right"], true, #"no unit is reassigned: "left" = "true", "right" = "false""#),
            ("on", ["TRUE", "off"], true, nil), ("on", ["a", "b"], true, nil), ("on", ["yes", "disabled"], true, nil),
            ("on", ["FALSE", "TRUE"], false, nil), ("on", ["off", "on"], false, nil), ("on", ["b", "a"], false, nil),
            ("on", ["B", "A"], false, nil), ("n", ["10", "20.0"], true, nil), ("n", ["20.0", "1e1"], false, nil),
            ("n", ["0", "1"], false, nil), ("n", ["treatment", "control"], false, nil),
            ("n", ["Control", "TREATMENT"], true, nil), ("n", ["Treatment", "Control"], false, nil),
            ("n", ["off", "new"], true, #"no unit is reassigned: "new" = "20", "off" = "10""#),
            ("on", ["on", "no"], true, nil),
            ("on", ["enabled", "disabled"], true, nil), ("on", ["disabled", "enabled"], false, nil),
            ("n", ["left", "right"], true, #"no unit is reassigned: "left" = "10", "right" = "20""#),
        ] as [(String, [String], Bool, String?)])
    func settings(setting: String, names: [String], isExact: Bool, note: String?) throws {
        var csv = "user_id,flag,variant\n"
        for index in 0..<40 {
            let variant = try Self.assigned("u\(index)", setting == "on" ? 1 : 2)
            csv += "u\(index),\(setting),\(["a", "control"].contains(variant) ? names[0] : names[1])\n"
        }
        let report = try report(csv: csv)
        #expect(report.isExact == isExact, "\(report.lines)")
        if let note { #expect(report.lines.contains { $0.hasSuffix(note) }, "\(report.lines)") }
    }
}
