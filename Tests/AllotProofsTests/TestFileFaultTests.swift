import AllotConfiguration
import TestSupport
import Testing

@testable import AllotDefinitions

/// Wrong test files are errors with a place and a fix, all at once.
@Suite(.blocks) struct TestFileFaultTests {
    /// The body of a case, and the problems without file and severity. Cases begin in column 5 of line 4.
    struct Fault: Sendable, CustomTestStringConvertible {
        let body: String
        let problems: [String]
        /// Whether a schema, which knows no names, can refuse it.
        let isStructural: Bool

        init(_ body: String, _ problems: [String], structural: Bool = false) {
            (self.body, self.problems, isStructural) = (body, problems, structural)
        }

        var testDescription: String { body }
        var text: String { "at: 2026-11-21T12:00:00Z\n" + Shop.file(body) }
    }

    static let faults = [
        Fault(
            "expect: { buton: control }",
            ["4:15: unknown experiment \"buton\"; did you mean \"button\"? (cases[0].expect.buton)"]),
        Fault(
            "expect: { button: contol, steps: { reason: hold } }",
            [
                "4:23: button has no variant \"contol\"; did you mean \"control\"? (cases[0].expect.button)",
                "4:48: unknown reason \"hold\"; the reasons are no-unit, paused, forced, draft, displaced, "
                    + "not-started, ended, holdout, slot, requirement, audience, winner, concluded, everyone, "
                    + "traffic, unallocated, split (cases[0].expect.steps.reason)",
            ], structural: true),
        Fault(
            "expct: { button: control }",
            [
                "3:5: the case expects nothing; add expect, settings, shares or exclusive (cases[0])",
                "4:5: unknown key \"expct\" in a case; did you mean \"expect\"? (cases[0].expct)",
            ], structural: true),
        Fault(
            "settings: { Page.Colour: blue }",
            ["4:17: unknown setting \"Page.Colour\"; did you mean \"Page.Color\"? (cases[0].settings[\"Page.Colour\"])"]
        ),
        Fault(
            "attributes: { coutry: DE }\nexpect: { button: none }",
            [
                "4:19: no experiment reads the attribute \"coutry\"; did you mean \"country\"? "
                    + "(cases[0].attributes.coutry)"
            ]),
        Fault(
            "shares: { button: { control: 22.5, green: 120% } }",
            [
                "4:34: the share is the number 22.5; write 22.5% if that is meant, 100% being everyone "
                    + "(cases[0].shares.button.control)",
                "4:47: \"120%\" is not a share; a share is text from 0% to 100% such as 12.5%, with as many decimals "
                    + "as it has (cases[0].shares.button.green)",
            ], structural: true),
        Fault(
            "unit: u1\nshares: { button: { control: 10% } }\nbucket: { button: 5 }",
            [
                "5:5: shares are of many units, and the case names one; remove unit (cases[0].shares)",
                "6:5: bucket and unit exclude each other, because a unit ID decides its buckets; remove one of the two "
                    + "(cases[0].bucket)",
            ]),
        Fault(
            "bucket: { button: 1000000 }\nslot: { chekout: 0%..<50% }\nholdout: { all: yes }\nexpect: { button: none }",
            [
                "4:23: 1000000 is not a bucket; a bucket is a whole number from 0 to 999999, or a range such as "
                    + "0%..<20% (cases[0].bucket.button)",
                "5:13: unknown layer \"chekout\"; did you mean \"checkout\"? (cases[0].slot.chekout)",
                "6:21: \"yes\" is not a bucket; a bucket is a whole number from 0 to 999999, or a range such as "
                    + "0%..<20% (cases[0].holdout.all)",
            ], structural: true),
        Fault(
            "exclusive: [button]",
            ["4:16: exclusive lists fewer than two experiments; name two or more (cases[0].exclusive)"],
            structural: true),
        Fault(
            "from: 2026-11-21T12:00:00Z\nexpect: { button: none }",
            ["4:5: from is given without until; add until: INSTANT (cases[0].from)"], structural: true),
        Fault(
            "from: 2026-11-21T12:00:00Z\nuntil: 2026-11-21T12:00:00Z\nexpect: { button: none }",
            [
                "5:12: until 2026-11-21T12:00:00Z is not after from 2026-11-21T12:00:00Z; the period is empty "
                    + "(cases[0].until)"
            ]),
        Fault(
            "at: 2026-11-21\nexpect: { button: none }",
            [
                "4:9: at \"2026-11-21\" is a day without a time; for its start in UTC write 2026-11-21T00:00:00Z "
                    + "(cases[0].at)"
            ], structural: true),
        Fault(
            "each: { country: DE, at: [now] }\nexpect: { button: none }",
            [
                "4:22: a list of each is the text \"DE\"; write [\"DE\"] (cases[0].each.country)",
                "4:31: \"now\" is not an instant; an instant is RFC 3339 with an offset, such as "
                    + "2026-11-21T12:00:00Z or 2026-11-21T13:00:00+01:00 (cases[0].each.at[0])",
            ], structural: true),
        Fault(
            "attributes: { country: DE }\neach: { country: [US] }\nexpect: { button: none }",
            ["4:19: country is given twice, in attributes and in each; keep one (cases[0].attributes.country)"]),
        Fault(
            "each: { unit: [u1], user_id: [u2] }\nbucket: { button: 5 }\nexpect: { button: { reason: [] } }",
            [
                "4:11: unit and user_id are the same; keep one of the two lists (cases[0].each)",
                "5:5: bucket and unit exclude each other, because a unit ID decides its buckets; remove one of the two "
                    + "(cases[0].bucket)",
                "6:33: the list of reasons is empty; name one, or leave it out (cases[0].expect.button.reason)",
            ], structural: true),
        Fault(
            "attributes: { country: DE }\nhas: [country]\nexpect: { button: none }",
            ["4:19: country is in has and has a value too; keep the value (cases[0].attributes.country)"]),
        Fault(
            "unit: 7\nexpect: { button: none }",
            ["4:11: unit is the number 7; text is expected, so write \"7\" in quotes (cases[0].unit)"],
            structural: true),
    ]

    @Test("Each fault is reported with its place, its path and the fix", arguments: faults)
    func fault(_ fault: Fault) throws {
        #expect(
            try Shop.problems(fault.text)
                == fault.problems.map { "t.yaml:" + $0.replacing(": ", with: ": error: ", maxReplacements: 1) })
    }

    @Test("A file without cases or instants, and names given twice")
    func files() throws {
        #expect(
            try Shop.problems("cases: []") == [
                "t.yaml:1:8: error: the list of cases is empty; add a case or remove the file (cases)"
            ])
        #expect(
            try Shop.problems("at: 2026-11-21T12:00:00Z") == [
                "t.yaml:1:1: error: the file has no cases; add a list under cases:"
            ])
        let twice = "  - { name: n, expect: { button: none } }\n"
        #expect(
            try Shop.problems("cases:\n" + twice + twice) == [
                "t.yaml:2:5: error: the case has no instant; add at: 2026-11-21T12:00:00Z, or from: and until:, to it "
                    + "or to the file (cases[0])",
                "t.yaml:3:5: error: the case has no instant; add at: 2026-11-21T12:00:00Z, or from: and until:, to it "
                    + "or to the file (cases[1])",
                "t.yaml:3:13: error: the name \"n\" is given twice, also at line 2; rename one of the two "
                    + "(cases[1].name)",
            ])
    }

    @Test("A folder in the folder of tests is an error, as its tests would never run")
    func folders() throws {
        let folder = try TemporaryFolder(["tests/checkout/cases.yaml": "cases: []", "tests/cases.yaml": "cases: []"])
        let loader = DefinitionsLoader()
        let error = #expect(throws: DefinitionsError.self) {
            try loader.testSources(in: "tests") { try loader.testContent(folder: folder.path("tests")) }
        }
        #expect(
            "\(try #require(error))".contains(
                "tests/checkout: error: folders in the folder of tests are not read; move its files into tests"))
    }

    @Test(
        "The schema refuses the structural faults, and accepts the sample tests",
        .enabled(if: SchemaValidator.isAvailable, "no python3 with the module jsonschema"))
    func schema() throws {
        var instances: JSONObject = [:]
        for (index, fault) in Self.faults.enumerated() {
            instances["fault \(index)"] = try #require(SourceTree(Array(fault.text.utf8), file: "t.yaml").root).json
        }
        let samples = try DefinitionsLoader().testSources(in: "tests") {
            try DefinitionsLoader().testContent(folder: Shop.sample + "/tests")
        }
        for source in samples {
            instances[source.name] = try #require(SourceTree(source.bytes, file: source.name).root).json
        }
        let names = Self.faults.enumerated().filter { !$0.element.isStructural }.map { "fault \($0.offset)" }
        #expect(try SchemaValidator.valid(instances, schema: "tests.schema.json") == Set(names + samples.map(\.name)))
    }
}
