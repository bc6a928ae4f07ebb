import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports
import Foundation
import TestSupport
import Testing

@testable import AllotImport

/// GrowthBook's features, against cases that its SDKs share and against its own text for versions.
struct GrowthBookTests {
    private static let cases = "conformance/migration/growthbook/cases-half.json"

    private func definitions(
        _ features: JSONValue, groups: JSONValue = [:], _ change: (inout PayloadImport) -> Void = { _ in }
    ) throws -> ImportedDefinitions {
        var conversion = PayloadImport(of: .growthbook)
        change(&conversion)
        return try conversion.definitions(from: ["features": features, "savedGroups": groups])
    }

    @Test(
        "The published cases of features get the published values",
        .enabled(if: SharedData.path(cases) != nil, "\(SharedData.absence(of: cases))"))
    func publishedCases() throws {
        let path = try #require(SharedData.path(Self.cases))
        guard case .object(let file) = try JSONValue(parsing: Array(try Data(contentsOf: URL(filePath: path)))),
            case .array(let cases)? = file["feature"]
        else {
            Issue.record("there is no list of features in \(path)")
            return
        }
        var refused: [String] = []
        for entry in cases {
            guard case .array(let parts) = entry, case .string(let name) = parts[0],
                case .object(let context) = parts[1], case .string(let flag) = parts[2],
                case .object(let expected) = parts[3], let features = context["features"]
            else { continue }
            var attributes = JSONObject()
            if case .object(let given)? = context["attributes"] { attributes = given }
            do {
                let definitions = try definitions(features, groups: context["savedGroups"] ?? [:])
                #expect(ImportCase.value(definitions, flag, attributes) == expected["value"], "\(name)")
            } catch {
                refused.append(name)
            }
        }
        #expect(refused == ["Prerequisite cycle detected, break"])
    }

    /// Rules, and how the notes on them begin.
    @Test(
        "Notes are about rules, not about values that look like them, and name flags that other SDKs decide otherwise",
        arguments: [
            (["force": ["coverage": 1, "$regex": "x"]], []),
            (["force": 1, "condition": ["a": ["$regex": "^x"]]], ["Regular expressions"]),
            (["force": 1, "coverage": 0.5], ["IDs that", "Coverage of forced values"]),
            (["force": 1, "coverage": 0.5, "range": [0, 0.5]], ["IDs that"]),
            (["force": 1, "coverage": 1], ["IDs that"]),
            (["force": 1, "coverage": 0.12345, "hashVersion": 2], ["IDs that"]),
            (["force": 1, "coverage": 0.1234, "hashVersion": 2], ["IDs that", "Coverage of forced values"]),
            (["variations": [0, 1], "bucketVersion": 2, "minBucketVersion": 0], ["IDs that", "Sticky buckets"]),
            (["variations": [0, 1], "disableStickyBucketing": true], ["IDs that"]),
            (["force": 1, "condition": ["n": ["$lt": 5]]], ["Missing attributes"]),
            (["force": 1, "condition": ["n": 0]], ["Missing attributes"]),
            (["force": 1, "condition": ["$or": [["n": 0]]]], ["Missing attributes"]),
            (["force": 1, "condition": ["v": ["$vlt": "1.2.3"]]], ["Missing attributes"]),
            (["force": 1, "condition": ["n": ["$in": [1]], "c": "DE", "l": ["$size": 2]]], []),
        ] as [(JSONValue, [String])])
    func notes(rule: JSONValue, expected: [String]) throws {
        let notes = try definitions(rule: rule).report.notes
        let starts = ["IDs that", "Regular expressions", "Missing attributes", "Coverage of", "Sticky"]
        let found = notes.filter { note in starts.contains { note.hasPrefix($0) } }
        #expect(found.count == expected.count, "\(notes)")
        for (note, start) in zip(found, expected) {
            #expect(note.hasPrefix(start), "\(notes)")
            if start.hasPrefix("Coverage") || start.hasPrefix("Sticky") { #expect(note.hasSuffix(" (f)."), "\(note)") }
        }
    }

    /// A feature `f` with one rule, and the default 0.
    private func definitions(
        rule: JSONValue, _ change: (inout PayloadImport) -> Void = { _ in }
    ) throws -> ImportedDefinitions {
        try definitions(["f": ["defaultValue": 0, "rules": [rule]]], change)
    }

    @Test("Markdown mentions no account that a payload names")
    func mentions() throws {
        let features: JSONValue = ["ok": ["defaultValue": 1], "@team|x": ["rules": [["surprise": 1]]]]
        let lines = MarkdownRenderer.lines(try definitions(features) { $0.skipsInexact = true }.report.report)
        #expect(lines.contains { $0.hasPrefix("* &#64;team\\|x: ") }, "\(lines)")
        #expect(!lines.joined().contains("@"))
    }

    @Test("No part of what is written into a folder that exists can be loaded, and the base is complete at last")
    func existingFolder() throws {
        let definitions = try definitions(rule: ["variations": [0, 1]])
        var files: [String: DefinitionSource] = [:]
        let steps = definitions.stepsIntoFolder
        for (index, step) in steps.enumerated() {
            files[step.name] = step
            let loaded = try? DefinitionsLoader(now: Instant(seconds: 0)).load(Array(files.values))
            #expect((loaded != nil) == (index == steps.count - 1), "\(step.name)")
        }
        #expect(steps.last?.name == "base.yaml")
        let folder = try TemporaryFolder()
        try definitions.write(to: folder.path)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == definitions.sources.map(\.name).sorted())
        for source in definitions.sources { #expect(try folder.bytes(source.name) == source.bytes) }
    }

    @Test(
        "Rules on versions of three numbers hold for versions like them",
        arguments: [
            ("2.1.0", ["2.1.0", "2.1.0+5"], ["10.0.0", "2.1.1", "v2.2.0"]),
            ("2.0", [], ["10.0.0", "2.0.0", "2.0.0-beta", "v2.2.0"]),
            ("1", [], ["1.0.0", "1.0.0-beta.2", "10.0.0", "2.1.1"]),
            ("1.0.0-beta.2", ["1.0.0-beta.2"], ["1.0.0", "1.0.0-beta.11", "1.0.0-rc.1", "2.1.1"]),
            ("v10.20.30", ["10.20.30"], ["99999.0.1"]),
        ] as [(String, [String], [String])])
    func versions(literal: String, same: [String], after: [String]) throws {
        func holding(_ name: String, among texts: [String]) throws -> [String] {
            let rule: JSONValue = ["force": 1, "condition": ["a": [name: .string(literal)]]]
            let definitions = try definitions(rule: rule)
            #expect(definitions.sources.allSatisfy { $0.bytes.count < 600 })
            #expect(definitions.report.notes.contains { $0.hasPrefix("Versions: ") })
            return texts.filter { ImportCase.value(definitions, "f", ["id": "u", "a": .string($0)]) == 1 }
        }
        let (all, before) = (["0.0.0"] + same + after, ["0.0.0"])
        let expected = [
            "$veq": same, "$vne": before + after, "$vgt": after, "$vgte": same + after, "$vlt": before,
            "$vlte": before + same,
        ]
        for (name, texts) in expected { #expect(try holding(name, among: all) == texts, "\(name) \(literal)") }
    }

    @Test(
        "Equality with any text is GrowthBook's, and order by a text that is not a version of three numbers is refused",
        arguments: [
            ("1.2.3.4", ["1.2.3.4", "v1.2.3.4", "1-2.3.4+x"]), ("1.0.123456", ["1.0.123456", "1.0.123456.~"]),
            ("01.2.3", ["01.2.3"]), ("1.0.0-alpha-9", ["1.0.0-alpha-9", "1.0.0-alpha-    9"]), ("2.0.", ["2.0."]),
            ("", ["", "0", "v0"]), ("abc", ["abc", "vabc+1"]), ("1.0.0-~", ["1.0.0", "1.0.0-~", "    1.0.0"]),
        ])
    func textVersions(literal: String, same: [String]) throws {
        func definitions(_ name: String) throws -> ImportedDefinitions {
            try self.definitions(rule: ["force": 1, "condition": ["a": [name: .string(literal)]]])
        }
        let texts = Set(same + ["1.0.0", "1.2.3", "1.2.3.40", "1.0.12345", "1.2.3\n", "v", "+", "~", "a\nb", "2.0"])
        for (name, holds) in [("$veq", true), ("$vne", false)] {
            let imported = try definitions(name)
            for text in texts {
                let isSame = GrowthBookVersion(text) == GrowthBookVersion(literal)
                #expect(isSame == same.contains(text), "\(text)")
                let found = ImportCase.value(imported, "f", ["id": "u", "a": .string(text)])
                #expect(found == (isSame == holds ? 1 : 0), "\(text) \(name) \(literal)")
            }
        }
        let problem = #expect(throws: ImportError.self) { try definitions("$vgte") }
        #expect(problem?.description.contains("as text, and not as a version") == true)
    }

    @Test(
        "Without a store of sticky buckets their fields change nothing",
        arguments: [
            (["variations": [0, 1], "fallbackAttribute": "device"], false),
            (["variations": [0, 1], "minBucketVersion": 3], false),
            (["force": 1, "coverage": 0.5, "fallbackAttribute": "device"], true),
        ] as [(JSONValue, Bool)])
    func withoutSticky(rule: JSONValue, isNoted: Bool) throws {
        #expect(throws: ImportError.self) { try definitions(rule: rule) }
        let imported = try definitions(rule: rule) { $0.hasStickyBuckets = false }
        #expect(!imported.report.notes.contains { $0.hasPrefix("Sticky") })
        #expect(imported.report.notes.contains { $0.hasPrefix("Fallback attributes of forced values") } == isNoted)
        let found = ImportCase.value(imported, "f", ["id": "u"])
        #expect(found == ImportCase.value(imported, "f", ["id": "u", "device": "other"]))
        #expect(ImportCase.value(imported, "f", ["device": "u"]) == 0)
    }

    @Test(
        "A map of features is read without its frame, whatever features are called",
        arguments: [
            (#"{"f": {"defaultValue": 7}}"#, "f"), (#"{"features": {"defaultValue": 7}}"#, "features"),
            (#"{"features": {"features": {"defaultValue": 7}}}"#, "features"),
            (#"{"savedGroups": {"defaultValue": 7, "rules": []}}"#, "savedGroups"),
        ])
    func bareMap(payload: String, flag: String) throws {
        #expect(ImportCase.value(try ImportCase.definitions(.growthbook, payload), flag, [:]) == 7)
    }

    @Test("The report lists the attributes to send with their types, and says where unit IDs are")
    func attributes() throws {
        let features: JSONValue = [
            "f": [
                "defaultValue": 0,
                "rules": [
                    [
                        "force": 1,
                        "condition": ["age": ["$gte": 18], "app": ["$vgte": "2.0.0"], "vip": ["$exists": true]],
                    ],
                    ["variations": [0, 1], "condition": ["beta": true, "$or": [["country": ["$in": ["DE"]]]]]],
                ],
            ]
        ]
        let report = try definitions(features).report
        #expect(
            report.attributes.map { "\($0.name): \($0.described)" } == [
                "id: unit ID", "age: number", "app: version", "beta: true or false", "country: text", "vip: any value",
            ])
        #expect(report.lines.contains("    country  text"))
        #expect(report.notes.contains { $0.hasPrefix("Unit IDs are read from id.") })
        let renamed = try definitions(features) { $0.attributes = ["id": "user_id"] }.report
        #expect(!renamed.notes.contains { $0.hasPrefix("Unit IDs") })
    }

    @Test("What cannot be exact is refused at its place, with the reason")
    func refusals() {
        func reason(_ rule: JSONValue) -> String {
            do {
                _ = try definitions(rule: rule)
                return "imported"
            } catch ImportError.inexact(let problems) {
                return problems.map(\.description).joined()
            } catch {
                return "refused"
            }
        }
        let version = JSONValue.string(String(repeating: "1.", count: 2000))
        let rules: [(rule: JSONValue, reason: String)] = [
            (["condition": ["a": ["$near": 1]], "force": 1], ".condition.a[\"$near\"]: unknown operator \"$near\""),
            (
                ["contextualBanditRef": "x", "contextualVariations": [1, 2]],
                ".contextualBanditRef: a contextual bandit changes"
            ),
            (["variations": [0, 1], "fallbackAttribute": "device"], "sticky buckets"),
            (["variations": [0, 1], "fallbackAttribute": "device", "disableStickyBucketing": true], "imported"),
            (
                ["force": 1, "coverage": 0.5, "fallbackAttribute": "device"],
                ".fallbackAttribute: GrowthBook's SDKs differ"
            ),
            (
                ["force": 1, "coverage": 0.5, "fallbackAttribute": "device", "disableStickyBucketing": true],
                "imported"
            ),
            (["force": 1, "fallbackAttribute": "device"], "imported"),
            (
                ["condition": ["a": ["$vgt": version]], "force": 1],
                "a version has at most 256 bytes, and this one has 4000"
            ),
            (["condition": ["a": ["$regex": "(?=x)"]], "force": 1], "lookahead"),
            (["condition": ["a.length": 1], "force": 1], "the length of a list"),
            (["surprise": 1, "force": 1], ".surprise: \"surprise\" is not known"),
            (
                ["force": "x", "range": [0, 1], "hashAttribute": 5],
                ".hashAttribute: expected text here, not the number 5"
            ),
        ]
        for (rule, part) in rules {
            let reason = reason(rule)
            #expect(reason.contains(part), "\(reason)")
            #expect(reason == "imported" || reason.hasPrefix("$.features.f.rules[0]"), "\(reason)")
        }
    }

    @Test("Users without an ID get what rules for all of an audience say, whatever the unit of other rules")
    func usersWithoutID() throws {
        let forced: JSONValue = ["condition": ["country": ["$in": ["DE"]]], "force": 1]
        let other: JSONValue = ["variations": [2, 3], "hashAttribute": "company"]
        let definitions = try definitions([
            "f": ["defaultValue": 0, "rules": [forced, other, ["variations": [4, 5]]]],
            "null": ["defaultValue": 0, "rules": [["condition": ["beta": true], "force": "text"]]],
        ])
        #expect(ImportCase.value(definitions, "f", [:]) == 0)
        #expect(ImportCase.value(definitions, "f", ["country": "DE"]) == 1)
        #expect(ImportCase.value(definitions, "f", ["country": "DE", "company": "acme"]) == 1)
        #expect([2, 3].contains(ImportCase.value(definitions, "f", ["company": "acme"])))
        #expect([4, 5].contains(ImportCase.value(definitions, "f", ["id": "u"])))
        #expect(ImportCase.value(definitions, "null", [:]) == 0)
        #expect(ImportCase.value(definitions, "null", ["beta": true]) == "text")
        #expect(!definitions.report.lines.contains { $0.hasPrefix("Note: Users without") })
    }

    @Test(
        "Saved groups with conditions are segments, which refer to each other, and only typed ones count by reference")
    func groups() throws {
        let definitions = try definitions(
            [
                "f": ["defaultValue": 0, "rules": [["condition": ["$savedGroup": ["id": "both"]], "force": 1]]],
                "g": ["defaultValue": 0, "rules": [["condition": ["$savedGroup": ["id": "bare"]], "force": 1]]],
                "h": ["defaultValue": 0, "rules": [["condition": ["a": ["$notInGroup": "adults"]], "force": 1]]],
                "i": ["defaultValue": 0, "rules": [["condition": ["a": ["$inGroup": "bare"]], "force": 1]]],
            ],
            groups: [
                "adults": ["type": "condition", "condition": ["age": ["$gte": 18]]],
                "both": ["type": "condition", "condition": ["$savedGroup": ["id": "adults"], "a": "x"]],
                "bare": ["x"],
            ])
        #expect(ImportCase.value(definitions, "f", ["id": "u", "age": 20, "a": "x"]) == 1)
        #expect(ImportCase.value(definitions, "f", ["id": "u", "age": 17, "a": "x"]) == 0)
        #expect(["g", "h", "i"].map { ImportCase.value(definitions, $0, ["id": "u", "a": "x"]) } == [0, 0, 1])
        let segments = try #require(definitions.sources.first { $0.name == "segments.yaml" })
        let text = String(decoding: segments.bytes, as: UTF8.self)
        #expect(text.contains("both: { $segment: adults, a: { $eq: x } }"), "\(text)")
    }

    @Test("The size of a list is compared as any number is")
    func sizes() throws {
        let lists: [JSONValue] = [[], [1], [1, 2], [1, 2, 3], 2, "ab"]
        let sizes: [(JSONValue, [Int])] = [
            (2, [0, 0, 1, 0, 0, 0]), (["$gt": 0, "$lte": 2], [0, 1, 1, 0, 0, 0]),
            (["$lte": 2, "$ne": 0], [0, 1, 1, 0, 0, 0]), (["$in": [0, 3]], [1, 0, 0, 1, 0, 0]),
            (["$not": ["$gt": 1]], [1, 1, 0, 0, 0, 0]), (["$ne": "2"], [1, 1, 1, 1, 0, 0]),
            (2.5, [0, 0, 0, 0, 0, 0]), ([:], [1, 1, 1, 1, 0, 0]),
        ]
        for (size, expected) in sizes {
            let definitions = try definitions(rule: ["condition": ["a": ["$size": size]], "force": 1])
            let found = lists.map { ImportCase.value(definitions, "f", ["id": "u", "a": $0]) }
            let wanted: [JSONValue?] = expected.map { .int($0) }
            #expect(found == wanted, "\(size.canonicalText)")
        }
    }

    @Test("A flag that Allot refuses in a file of all flags leaves the others alone")
    func refusedBase() throws {
        var features: JSONObject = ["ok": ["defaultValue": 1]]
        features[String(repeating: "x", count: 2000)] = ["defaultValue": 2]
        #expect(throws: ImportError.self) { try definitions(.object(features)) }
        let imported = try definitions(.object(features)) { $0.skipsInexact = true }
        #expect(imported.report.importedCount == 1)
        #expect(imported.report.leftOutCount == 1)
        #expect(ImportCase.value(imported, "ok", [:]) == 1)
    }

    @Test("Saved groups that use each other twice are refused before they fill the memory")
    func groupsOfGroups() throws {
        var groups = JSONObject()
        for number in 0..<40 {
            let inner: JSONValue = ["$savedGroup": ["id": .string("g\(number + 1)")]]
            groups["g\(number)"] = ["type": "condition", "condition": ["$or": [inner, ["$not": inner]]]]
        }
        groups["g40"] = ["type": "condition", "condition": ["a": 1]]
        let features: JSONValue = ["f": ["rules": [["condition": ["$savedGroup": ["id": "g0"]], "force": 1]]]]
        #expect(throws: ImportError.self) { try definitions(features, groups: .object(groups)) }
    }

    @Test("A payload that is encrypted needs the right key")
    func encryption() throws {
        // openssl enc -aes-128-cbc -K 000102…0f -iv 101112…1f, of {"f": {"defaultValue": "secret"}}
        let text = "EBESExQVFhcYGRobHB0eHw==.RI9D8sCLrIa5w5hOWHALj3GyPBUVRyYKflhY0yc0+25eGIjuHTvtyrUk5CneFUF0"
        func opened(_ length: Int, _ key: String?) throws -> ImportedDefinitions {
            var conversion = PayloadImport(of: .growthbook)
            conversion.key = key
            return try conversion.definitions(from: ["encryptedFeatures": .string(String(text.prefix(length)))])
        }
        let key = "AAECAwQFBgcICQoLDA0ODw=="
        #expect(ImportCase.value(try opened(text.count, key), "f", [:]) == "secret")
        for other in [nil, "AAAAAAAAAAAAAAAAAAAAAA=="] {
            #expect(throws: ImportError.self) { try opened(text.count, other) }
        }
        for cut in 0..<text.count { #expect(throws: ImportError.self) { try opened(cut, key) } }
    }

    @Test("Text that is not a payload is refused, whatever is cut from it")
    func notAPayload() throws {
        let payload =
            #"{"features":{"f":{"defaultValue":1,"rules":[{"variations":[0,1],"coverage":0.5,"weights":[0.5,0.5]}]}}}"#
        let bytes = Array(payload.utf8)
        let conversion = PayloadImport(of: .growthbook)
        #expect(throws: Never.self) { try conversion.definitions(from: bytes) }
        for count in 0..<bytes.count {
            #expect(throws: ImportError.self) { try conversion.definitions(from: Array(bytes.prefix(count))) }
        }
        for text in ["[]", "{}", "1", #"{"features":[]}"#, #"{"features":{"f":1}}"#] {
            #expect(throws: ImportError.self) { try conversion.definitions(from: Array(text.utf8)) }
        }
    }
}
