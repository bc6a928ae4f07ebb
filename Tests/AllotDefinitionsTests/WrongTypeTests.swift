import AllotConfiguration
import Testing

@testable import AllotDefinitions

/// Puts a value of each type under every key there is: what is wrong is an error at that key, and nothing crashes.
struct WrongTypeTests {
    private static let definitions: [String: JSONValue] = [
        "base.json": [
            "meta": ["creation_time": "2026-11-01T08:00Z"],
            "config_sections": [
                "Shop": [
                    "settings": [
                        "Title": ["value": "Hello", "description": "Above everything"],
                        "Size": ["value": 10, "minimum": 1, "maximum": 90, "type": "integer", "enum": [10, 20]],
                        "Code": ["value": "a", "pattern": "^a"],
                    ]
                ]
            ],
        ], "layers.json": ["main": ["description": "All", "salt": "main", "unit": "user_id"]],
        "holdouts.json": [
            "h": [
                "share": "2%", "description": "Some", "salt": "h", "unit": "user_id", "experiments": ["other"],
                "layers": ["main"],
            ]
        ], "segments.json": ["europe": ["country": ["$in": ["DE"]]], "staff": ["user-1"]],
        "other.json": [
            "status": "running",
            "variants": [["key": "a", "buckets": ["0%..<50%"]], ["key": "b", "buckets": ["50%..<60%"]]],
        ],
        "e.json": [
            "status": "concluded", "winner": "b", "description": "A question", "owner": "ann", "unit": "user_id",
            "salt": "e", "layer": "main", "slots": ["0%..<50%"], "traffic": "50%", "starts": "2026-01-01T00:00:00Z",
            "ends": "2026-02-01T00:00:00Z", "requires": ["other": ["a"]], "forced": ["user-1": "b"],
            "variants": [
                ["key": "a", "weight": 1, "description": "One"], ["key": "b", "overrides": ["Shop": ["Title": "Hi"]]],
            ],
            "audience": [
                "$and": [["country": "DE"]], "$or": [["country": "DE"]], "$nor": [["country": "FR"]],
                "$not": ["country": "US"], "$segment": "europe", "plain": "text",
                "tests": [
                    "$eq": 1, "$ne": 2, "$in": [1], "$nin": [2], "$all": [1], "$ini": ["a"], "$nini": ["b"],
                    "$alli": ["a"], "$exists": true, "$type": "number", "$size": 1, "$elemMatch": ["$gt": 1], "$gt": 1,
                    "$gte": 1, "$lt": 9, "$lte": 9, "$regex": "a", "$regexi": "a", "$veq": "1", "$vne": "2",
                    "$vgt": "1", "$vgte": "1", "$vlt": "9", "$vlte": "9", "$inGroup": "staff", "$notInGroup": "staff",
                    "$startsWith": "a", "$endsWith": "a", "$contains": "a", "$before": "2026-01-01T00:00:00Z",
                    "$after": "2026-01-01T00:00:00Z", "$not": ["$eq": 5],
                ],
            ],
        ],
    ]

    private static let values: [(name: String, value: JSONValue)] = [
        ("null", .null), ("boolean", true), ("number", 5), ("text", "x"), ("list", []), ("map", [:]),
    ]

    /// Which of the values above are right under which key; everywhere else all are wrong.
    private static let right: [String: Set<String>] = {
        let anything: Set = ["null", "boolean", "number", "text", "list", "map"]
        var right: [String: Set<String>] = [
            "base.json meta": ["map"], "base.json meta/creation_time": ["text"], "base.json config_sections": ["map"],
            "base.json config_sections/Shop/settings": ["map"],
            "base.json config_sections/Shop/settings/Title/value": anything,
            "base.json config_sections/Shop/settings/Title/description": ["text"],
            "base.json config_sections/Shop/settings/Size/minimum": ["number"],
            "layers.json ": ["map"], "layers.json main": ["map", "null"], "holdouts.json ": ["map"],
            "holdouts.json h/experiments": ["list"], "holdouts.json h/layers": ["list"],
            "segments.json ": ["map"], "segments.json europe": ["list", "map"], "segments.json staff": ["list", "map"],
            "segments.json europe/country": anything, "segments.json europe/country/$in": ["list"],
            "segments.json europe/country/$in/0": ["null", "boolean", "number", "text"],
            "segments.json staff/0": ["boolean", "number", "text"], "e.json audience": ["map"],
            "e.json requires": ["map"], "e.json forced": ["map"], "e.json variants/0/key": ["text"],
            "e.json variants/0/weight": ["number"], "e.json variants/1/overrides": ["map"],
            "e.json variants/1/overrides/Shop": ["map"], "e.json variants/1/overrides/Shop/Title": ["text"],
            "e.json audience/plain": anything, "e.json audience/tests": anything, "e.json audience/$not": ["map"],
            "e.json audience/$not/country": anything,
        ]
        for key in ["description", "salt", "unit"] {
            for place in ["e.json ", "layers.json main/", "holdouts.json h/"] { right[place + key] = ["text"] }
        }
        right["e.json owner"] = ["text"]
        // These are right, and the base value no longer is.
        right["base.json config_sections/Shop/settings/Size/maximum"] = ["number"]
        right["base.json config_sections/Shop/settings/Code/pattern"] = ["text"]
        // A pattern is for text, and an enum may list what the type forbids: as in JSON Schema.
        right["base.json config_sections/Shop/settings/Code/value"] = anything.subtracting(["text"])
        for index in 0...1 { right["base.json config_sections/Shop/settings/Size/enum/\(index)"] = anything }
        for place in ["e.json variants/1", "other.json variants/0", "other.json variants/1"] {
            right[place + "/key"] = ["text"]
        }
        right["e.json variants/0/description"] = ["text"]
        for key in ["$and", "$or", "$nor"] {
            right["e.json audience/\(key)"] = ["list"]
            right["e.json audience/\(key)/0"] = ["map"]
            right["e.json audience/\(key)/0/country"] = anything
        }
        let tests = "e.json audience/tests/"
        for key in ["$eq", "$ne", "$not", "$not/$eq", "$all/0"] { right[tests + key] = anything }
        for key in ["$in", "$nin", "$all", "$ini", "$nini", "$alli"] { right[tests + key] = ["list"] }
        for key in ["$in/0", "$nin/0", "$ini/0", "$nini/0", "$alli/0"] {
            right[tests + key] = ["null", "boolean", "number", "text"]
        }
        for key in ["$gt", "$gte", "$lt", "$lte", "$elemMatch/$gt"] { right[tests + key] = ["number", "text"] }
        for key in ["$veq", "$vne", "$vgt", "$vgte", "$vlt", "$vlte"] { right[tests + key] = ["number"] }
        for key in ["$regex", "$regexi", "$startsWith", "$endsWith", "$contains"] { right[tests + key] = ["text"] }
        // A variant that no new unit gets.
        for variant in [0, 1] { right["other.json variants/\(variant)/buckets"] = ["list"] }
        right[tests + "$exists"] = ["boolean"]
        right[tests + "$size"] = ["number"]
        return right
    }()

    @Test("The definitions of this suite are valid")
    func theDefinitionsAreRight() {
        let files = Self.definitions.mapValues(\.canonicalText)
        #expect(DefinitionsLoader.fixed.problems(in: files).allSatisfy { $0.severity == .warning })
    }

    @Test("A value of a wrong type is an error at every key", arguments: definitions.keys.sorted())
    func everyKeyOfAFile(name: String) throws {
        let root = try #require(Self.definitions[name])
        var found: Set<String> = []
        for steps in Self.places(in: root) {
            let key = "\(name) \(Self.text(of: steps))"
            found.insert(key)
            for (type, value) in Self.values {
                var files = Self.definitions.mapValues(\.canonicalText)
                files[name] = root.edited(at: steps[...]) { _ in value }.canonicalText
                let errors = DefinitionsLoader.fixed.problems(in: files).filter { problem in
                    problem.severity == .error && problem.file == name
                        && (problem.path ?? "").hasPrefix(Self.path(of: steps).description)
                }
                let isRight = Self.right[key]?.contains(type) ?? false
                #expect(errors.isEmpty == isRight, "\(type) at \(key): \(errors)")
            }
        }
        #expect(Self.right.keys.filter { $0.hasPrefix(name + " ") && !found.contains($0) } == [])
    }

    // MARK: Places

    fileprivate enum Step {
        case key(String)
        case index(Int)
    }

    /// The ways to the root and everything below it.
    private static func places(in value: JSONValue) -> [[Step]] {
        let below: [(Step, JSONValue)] =
            switch value {
            case .object(let object): object.members.map { (.key($0.key), $0.value) }
            case .array(let elements): elements.enumerated().map { (.index($0), $1) }
            default: []
            }
        return [[]] + below.flatMap { step, value in places(in: value).map { [step] + $0 } }
    }

    private static func text(of steps: [Step]) -> String {
        steps.map { step in
            switch step {
            case .key(let key): key
            case .index(let index): String(index)
            }
        }.joined(separator: "/")
    }

    private static func path(of steps: [Step]) -> SourcePath {
        steps.reduce(into: SourcePath()) { path, step in
            switch step {
            case .key(let key): path = path.appending(key: key)
            case .index(let index): path = path.appending(index: index)
            }
        }
    }
}

extension JSONValue {
    fileprivate func edited(at path: ArraySlice<WrongTypeTests.Step>, _ edit: (JSONValue) -> JSONValue) -> JSONValue {
        switch (path.first, self) {
        case (.key(let key), .object(var object)):
            object[key] = (object[key] ?? .null).edited(at: path.dropFirst(), edit)
            return .object(object)
        case (.index(let index), .array(var elements)):
            elements[index] = elements[index].edited(at: path.dropFirst(), edit)
            return .array(elements)
        default: return edit(self)
        }
    }
}
