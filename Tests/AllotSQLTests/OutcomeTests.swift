import AllotConfiguration
import AllotCore
import Testing

@testable import AllotSQL

/// The long layout from outcomes, as Spark has it. Tests of engines compare its rows with Allot's decisions.
struct OutcomeTests {
    private static func text(_ experiments: [String: JSONObject]) throws -> String {
        try WarehouseStatement(.spark, .long).text(for: TestDefinitions.plan(experiments))
    }

    @Test("The lists of an experiment have an element for each check and each part of the buckets")
    func lists() throws {
        let text = try Self.text([
            "gap": [
                "forced": ["ada": "green"], "traffic": "50%",
                "variants": [
                    ["key": "control", "buckets": ["100..<500000"]], ["key": "green", "buckets": ["500000..<600000"]],
                ],
            ]
        ])
        #expect(text.contains("array(NULL, 'green', NULL, NULL, 'control', 'green', NULL)"))
        #expect(
            text.contains(
                "array('no-unit', 'forced', 'traffic', 'unallocated', 'split', 'split', 'unallocated')"))
        #expect(text.contains("CASE WHEN allot_outcome_gap IN (4, 5) THEN"))
    }

    @Test("Lists without a value have the type of those with values")
    func types() throws {
        let text = try Self.text([
            "draft": ["status": "draft"],
            "foreign": [
                "hash": "launchdarkly/1", "salt": "flag.salt",
                "variants": [["key": "all", "buckets": ["0..<1152921504606846975"]]],
            ],
        ])
        #expect(text.contains("'draft', array(CAST(NULL AS STRING), CAST(NULL AS STRING)), array('no-unit', 'draft')"))
        // Its numbers have 60 bits, which decisions do not keep.
        #expect(text.contains(/array\(\s+CAST\(NULL AS BIGINT\),\s+CAST\(NULL AS BIGINT\)\s+\) AS allot_bucket_list/))
    }

    @Test("Attributes and experiments with the names of the lists do no harm")
    func names() throws {
        let text = try Self.text([
            "list": ["audience": ["number": 1, "unit_list": "a", "bucket_list": "b"]],
            "s": ["audience": ["outcome_list": 1]],
        ])
        for name in ["number", "unit_list", "bucket_list", "outcome_list"] {
            #expect(text.contains(" AS allot_\(name)_2"), "\(name)")
        }
        #expect(text.contains(" AS allot_outcome_list_3"), "the outcome of the experiment \"list\"")
        #expect(text.contains(" AS allot_outcome_s,") || text.contains(" AS allot_outcome_s\n"))
    }

    @Test("Thousands of ranges of buckets are written once each")
    func manyRanges() throws {
        func ranges(_ first: Int) -> JSONValue {
            .array((0..<2000).map { .string("\(first + $0 * 200)..<\(first + $0 * 200 + 100)") })
        }
        let text = try Self.text([
            "many": [
                "variants": [["key": "control", "buckets": ranges(0)], ["key": "green", "buckets": ranges(100)]]
            ]
        ])
        #expect(text.matches(of: /'unallocated'/).count == 1)
        #expect(text.matches(of: /-- split/).count == 4000)
    }
}
