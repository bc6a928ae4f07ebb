import AllotConfiguration
import AllotCore
import Testing

@testable import AllotImport

/// Eppo's configuration: what is decided, as `eppo-server-sdk` 4.4.1 does.
struct EppoTests {
    static func payload(_ condition: String, value: String = #""on""#, type: String = "STRING") -> String {
        #"""
        {"format": "SERVER", "flags": {"f": {"key": "f", "enabled": true, "variationType": "\#(type)",
        "totalShards": 10000, "variations": {"v": {"key": "v", "value": \#(value)}}, "allocations": [{"key": "a",
        "rules": [{"conditions": [\#(condition)]}], "splits": [{"variationKey": "v", "shards": []}]}]}}}
        """#
    }

    @Test("The number of shards stands in the flag or, as Datadog writes it, in each shard")
    func shards() throws {
        func payload(flag: String, shard: String) -> String {
            #"""
            {"flags": {"f": {"key": "f", "enabled": true, "variationType": "STRING", \#(flag)
            "variations": {"v": {"key": "v", "value": "on"}}, "allocations": [{"key": "a", "splits": [{"variationKey":
            "v", "shards": [{"salt": "s", \#(shard) "ranges": [{"start": 0, "end": 5}]}]}]}]}}}
            """#
        }
        func values(_ definitions: ImportedDefinitions) -> [JSONValue?] {
            (0..<40).map { ImportCase.value(definitions, "f", ["user_id": .string("u\($0)")]) }
        }
        let ten = #""totalShards": 10,"#
        let expected = values(try ImportCase.definitions(.eppo, payload(flag: ten, shard: "")))
        #expect(Set(expected.map { $0 == "on" }).count == 2)
        for (flag, shard) in [("", ten), (ten, ten)] {
            #expect(values(try ImportCase.definitions(.eppo, payload(flag: flag, shard: shard))) == expected)
        }
        for (flag, shard, part) in [
            ("", "", "missing here and in the flag"), (#""totalShards": 20,"#, ten, "its flag 20"),
            ("", #""totalShards": 0,"#, "1 to 2,147,483,647"),
        ] {
            #expect(
                try ImportCase.problems(.eppo, payload(flag: flag, shard: shard)).map { $0.contains(part) } == [true])
        }
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

    @Test("Where no rule tests an attribute user_id, another name for it renames the subject key")
    func unitName() throws {
        let payload = Self.payload(#"{"attribute": "country", "operator": "ONE_OF", "value": ["DE"]}"#)
        let definitions = try ImportCase.definitions(.eppo, payload, attributes: ["user_id": "device"])
        #expect(ImportCase.value(definitions, "f", ["device": "1", "country": "DE"]) == "on")
        #expect(ImportCase.value(definitions, "f", ["user_id": "1", "country": "DE"]) == .null)
    }
}
