import Allot
import AllotConfiguration
import Testing

@testable import AllotImport

/// Eppo's configuration: what is decided, as `eppo-server-sdk` 4.4.1 does.
struct EppoTests {
    private static func payload(_ condition: String, value: String = #""on""#, type: String = "STRING") -> String {
        #"""
        {"format": "SERVER", "flags": {"f": {"key": "f", "enabled": true, "variationType": "\#(type)",
        "totalShards": 10000, "variations": {"v": {"key": "v", "value": \#(value)}}, "allocations": [{"key": "a",
        "rules": [{"conditions": [\#(condition)]}], "splits": [{"variationKey": "v", "shards": []}]}]}}}
        """#
    }

    @Test("The attribute id hides the subject key")
    func subjectKey() throws {
        let subjects: [JSONObject] = [
            ["user_id": "u1"], ["user_id": "u1", "id": "other"], ["user_id": "u2", "id": "u1"],
        ]
        let definitions = try ImportCase.definitions(
            .eppo, Self.payload(#"{"attribute": "id", "operator": "ONE_OF", "value": ["u1"]}"#))
        #expect(subjects.map { ImportCase.value(definitions, "f", $0) } == ["on", .null, "on"])
        #expect(definitions.report.notes.contains { $0.contains(#"an attribute "id" that is null"#) })
    }

    @Test("JSON that only Eppo reads is refused, and a value that is not JSON is the app's default")
    func json() throws {
        let condition = #"{"attribute": "id", "operator": "IS_NULL", "value": false}"#
        let twice = Self.payload(condition, value: #""{\"a\": 1, \"a\": 2}""#, type: "JSON")
        #expect(try ImportCase.problems(.eppo, twice).map { $0.contains("Allot does not read this JSON") } == [true])
        let none = try ImportCase.definitions(.eppo, Self.payload(condition, value: #""nope""#, type: "JSON"))
        #expect(ImportCase.value(none, "f", ["user_id": "u1"]) == .null)
    }

    @Test("Texts that Allot does not read as numbers are in the report")
    func numbers() throws {
        let definitions = try ImportCase.definitions(
            .eppo, Self.payload(#"{"attribute": "age", "operator": "GTE", "value": 18}"#))
        #expect(definitions.report.notes.contains { $0.contains(#""5." and "inf" as numbers"#) })
    }
}
