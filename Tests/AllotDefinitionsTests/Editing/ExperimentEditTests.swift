import AllotCore
import Foundation
import TestSupport
import Testing

@testable import AllotDefinitions

struct ExperimentEditTests {
    /// What a file says after an edit, or why it cannot be edited.
    private func edited(
        _ text: String, name: String = "e.yaml", _ buckets: [(String, [Range<Int>])] = [], traffic: Traffic? = nil
    ) throws -> String {
        let folder = try TemporaryFolder(Files.base + [name: text])
        var edit = ExperimentEdit()
        edit.buckets = buckets.map { ($0.0, $0.1) }
        edit.traffic = traffic
        let result = try EditableDefinitions(folder: folder.path, loader: .fixed).editing("e", edit).edit
        #expect(result.path == folder.path(name))
        #expect(result.oldBytes == Array(text.utf8))
        return String(decoding: result.newBytes, as: UTF8.self)
    }

    /// What a file says after a change of status, start and end, or `nil` if that cannot be written.
    private func rescheduled(
        _ text: String, name: String = "e.yaml", status: ExperimentStatus? = nil,
        starts: ExperimentEdit.Limit? = nil, ends: ExperimentEdit.Limit? = nil, traffic: Traffic? = nil
    ) throws -> String? {
        let folder = try TemporaryFolder(Files.base + [name: text])
        var edit = ExperimentEdit()
        (edit.status, edit.starts, edit.ends, edit.traffic) = (status, starts, ends, traffic)
        let editable = try EditableDefinitions(folder: folder.path, loader: .fixed)
        return (try? editable.editing("e", edit)).map { String(decoding: $0.edit.newBytes, as: UTF8.self) }
    }

    @Test("A chosen salt is written with its choice, in place of an earlier one")
    func chosenSalt() throws {
        let digest = String(repeating: "0e", count: 32)
        func edited(_ text: String, _ salt: String, _ tried: Int, name: String = "e.yaml") throws -> String {
            let folder = try TemporaryFolder(Files.base + [name: text])
            let choice = ChosenRandomisation(
                balance: ["orders", "a: b"], rule: tried > 5 ? .tries(tried) : .accept(0.01), tried: tried,
                distance: 0.000125, users: digest)
            var edit = ExperimentEdit()
            edit.salt = try ExperimentEdit.ChosenSalt(#require(Salt(salt)), choice)
            let result = try EditableDefinitions(folder: folder.path, loader: .fixed).editing("e", edit)
            #expect(result.loaded.definitions.experiments.first { $0.key == "e" }?.randomisation == choice)
            return String(decoding: result.edit.newBytes, as: UTF8.self)
        }
        let text = "status: draft # soon\nvariants: [{ key: a }, { key: b }]\n"
        let first = try edited(text, "e.3", 3)
        #expect(
            first == """
                status: draft # soon
                salt: e.3
                randomisation:
                  criterion: mahalanobis
                  balance: [orders, "a: b"]
                  accept: 0.01
                  tried: 3
                  distance: 0.000125
                  users: "\(digest)"
                variants: [{ key: a }, { key: b }]

                """)
        // A number in YAML is text here.
        let second = try edited(first, "1.25", 40)
        #expect(
            second
                == first.replacingOccurrences(of: "salt: e.3", with: "salt: \"1.25\"")
                .replacingOccurrences(of: "accept: 0.01\n  tried: 3", with: "tries: 40\n  tried: 40"))
        let json = try edited(#"{"status": "draft", "variants": [{"key": "a"}]}"#, "e.3", 3, name: "e.json")
        #expect(
            json == #"{"status": "draft", "salt": "e.3", "randomisation": { "criterion": "mahalanobis", "#
                + #""balance": ["orders", "a: b"], "accept": 0.01, "tried": 3, "distance": 0.000125, "#
                + #""users": "\#(digest)" }, "variants": [{"key": "a"}]}"#)
    }

    @Test("Status, start and end are changed, added and removed in place")
    func schedule() throws {
        let text = "# e\nstatus: running # now\nends: 2030-01-01T00:00:00Z # end\nvariants: [{ key: a }, { key: b }]\n"
        let (one, two) = (Instant(seconds: 1_800_000_000), Instant(seconds: 1_900_000_000))
        let (first, second) = ("2027-01-15T08:00:00Z", "2030-03-17T17:46:40Z")
        #expect(try rescheduled(text, status: .paused) == text.replacingOccurrences(of: "running", with: "paused"))
        #expect(
            try rescheduled(text, status: .draft, starts: .at(one), ends: .at(two), traffic: .constant(100_000)) == """
                # e
                status: draft # now
                traffic: 10%
                starts: \(first)
                ends: \(second) # end
                variants: [{ key: a }, { key: b }]

                """)
        let without = text.replacingOccurrences(of: "ends: 2030-01-01T00:00:00Z # end\n", with: "")
        #expect(try rescheduled(text, ends: .never) == without)
        #expect(try rescheduled(without, ends: .never) == without)
        let both = without.replacingOccurrences(of: "# now\n", with: "# now\nstarts: \(first)\nends: \(second)\n")
        #expect(try rescheduled(without, starts: .at(one), ends: .at(two)) == both)
        #expect(try rescheduled(both, starts: .never, ends: .never) == without)
        let windows = text.replacingOccurrences(of: "\n", with: "\r\n")
        #expect(try rescheduled(windows, ends: .never) == without.replacingOccurrences(of: "\n", with: "\r\n"))
        let json = #"{"status": "running", "variants": [{"key": "a"}]}"#
        #expect(
            try rescheduled(json, name: "e.json", status: .paused, ends: .at(two))
                == #"{"status": "paused", "ends": "\#(second)", "variants": [{"key": "a"}]}"#)
        // Nothing of a map in brackets is removed.
        #expect(try rescheduled("{ status: draft, ends: \(second), variants: [{ key: a }] }", ends: .never) == nil)
    }

    @Test("An edit that makes an error is examined, with the problem at its place, and is not one to write")
    func examines() throws {
        let text = "status: running\nstarts: 2030-01-01T00:00:00Z\nvariants: [{ key: a }]\n"
        let folder = try TemporaryFolder(Files.base + ["e.yaml": text])
        var edit = ExperimentEdit()
        edit.ends = .at(Instant(seconds: 0))
        let editable = try EditableDefinitions(folder: folder.path, loader: .fixed)
        let examined = try editable.examining("e", edit)
        #expect(examined.loaded == nil)
        #expect(examined.problems.contains { $0.message.contains("is not after starts") && $0.position?.line == 3 })
        #expect(throws: ExperimentEditError.self) { try editable.editing("e", edit) }
    }

    private let thirds: [(String, [Range<Int>])] = [("a", [0..<300_000]), ("b", [300_000..<1_000_000])]

    @Test("Replacing weights with buckets keeps comments")
    func weightsBecomeBucketsAndCommentsStay() throws {
        let text = """
            # The whole.
            status: running   # since May

            variants:
              # Nothing changes.
              - key: a # the old one
              - key: b
                description: "weight: 3, as # text"
                weight: 3    # three times
                overrides: { Shop: { Color: blue } }

            # At the end.
            forced: { tester: a }
            """
        #expect(
            try edited(text, thirds, traffic: .constant(400_000)) == """
                # The whole.
                status: running   # since May
                traffic: 40%

                variants:
                  # Nothing changes.
                  - key: a # the old one
                    buckets: [0%..<30%]
                  - key: b
                    description: "weight: 3, as # text"
                    buckets: [30%..<100%]    # three times
                    overrides: { Shop: { Color: blue } }

                # At the end.
                forced: { tester: a }
                """)
    }

    @Test("Buckets are replaced however they were written")
    func everyWayOfWritingBuckets() throws {
        let text = """
            traffic: "50%"
            status: running
            variants:
            - buckets:
              - '20%..<30%'
              - 0%..<10%   # first
              key: a
            - {key: b, "buckets": [ "10%..<20%",
                  30..<40 ], overrides: {}}
            """
        // 30..<40 lies in the first range, so the file is wrong as it is.
        #expect(throws: DefinitionsError.self) { try edited(text, thirds) }
        let valid = text.replacingOccurrences(of: "30..<40", with: "400000..<400001")
        #expect(
            try edited(valid, thirds, traffic: .constant(1_000_000)) == """
                traffic: 100%
                status: running
                variants:
                - buckets: [0%..<30%]   # first
                  key: a
                - {key: b, "buckets": [30%..<100%], overrides: {}}
                """)
    }

    @Test("Variants in brackets are edited in their brackets")
    func variantsInBrackets() throws {
        #expect(
            try edited("{status: running, variants: [{key: a}, {key: b, weight: 2}]}", thirds, traffic: .constant(5))
                == "{status: running, traffic: 0.0005%, variants: [{key: a, buckets: [0%..<30%]}, "
                + "{key: b, buckets: [30%..<100%]}]}")
    }

    @Test("JSON files are edited as JSON")
    func json() throws {
        let text = """
            {
              "status": "running",
              "variants": [
                {"key": "a", "weight": 1.5},
                {
                  "key": "b",
                  "overrides": {"Shop": {"Color": "blue"}}
                }
              ]
            }
            """
        #expect(
            try edited(text, name: "e.json", thirds + [("c", [])], traffic: .constant(250_000)) == """
                {
                  "status": "running",
                  "traffic": "25%",
                  "variants": [
                    {"key": "a", "buckets": ["0%..<30%"]},
                    {
                      "key": "b",
                      "buckets": ["30%..<100%"],
                      "overrides": {"Shop": {"Color": "blue"}}
                    },
                    { "key": "c", "buckets": [] }
                  ]
                }
                """)
    }

    @Test("Traffic steps get a line each, and comments stay")
    func trafficSteps() throws {
        let (first, second) = (
            "{ from: 1970-01-01T00:00:01Z, share: 1% }", "{ from: 1970-01-01T00:00:02Z, share: 12.5% }"
        )
        let steps = Traffic.steps([
            .init(from: Instant(seconds: 1), share: 10_000), .init(from: Instant(seconds: 2), share: 125_000),
        ])
        let expected = "status: draft # soon\ntraffic:\n  - \(first)\n  - \(second)\nvariants: [{ key: a }]\n"
        #expect(try edited("status: draft # soon\nvariants: [{ key: a }]\n", traffic: steps) == expected)
        #expect(try edited("status: draft # soon\ntraffic: 5%\nvariants: [{ key: a }]\n", traffic: steps) == expected)
        #expect(try edited(expected, traffic: steps) == expected)
        let maps = """
            status: draft # soon
            traffic:
            - from: 1999-01-01T00:00:00Z
              share: 5%
            - share: 6%
              from: 2000-01-01T00:00:00Z
            variants: [{ key: a }]

            """
        #expect(try edited(maps, traffic: steps) == expected)
        #expect(
            try edited("{ status: draft, traffic: 5%, variants: [{ key: a }] }", traffic: steps)
                == "{ status: draft, traffic: [\(first), \(second)], variants: [{ key: a }] }")
        #expect(
            try edited(#"{"status": "draft", "variants": [{"key": "a"}]}"#, name: "e.json", traffic: steps)
                .contains(#""traffic": [{ "from": "1970-01-01T00:00:01Z", "share": "1%" }, { "from""#))
    }

    @Test("Steps keep the offsets that they were written with", arguments: ["e.yaml", "e.json"])
    func offsetsOfSteps(name: String) throws {
        let texts = ["2026-12-01T10:00:00+01:00", "2026-12-02T09:30:00.5-03:30", "2026-12-03T09:00:00Z"]
        let steps = try texts.enumerated().map { index, text in
            Traffic.Step(from: try #require(Instant(text)), share: (index + 1) * 10_000)
        }
        let json = #"{"status": "draft", "variants": [{"key": "a"}]}"#
        let result = try edited(json, name: name, traffic: .steps(steps))
        for text in texts { #expect(result.contains(text)) }
    }

    @Test("New variants are added at the end of the list")
    func variantsAreAddedAtTheEnd() throws {
        let halves: [(String, [Range<Int>])] = [("a", [0..<500_000]), ("b", []), ("c", [500_000..<1_000_000])]
        let text = """
            status: running
            variants:
              -   key: a
              -   key: b
                  overrides:
                    Shop:
                      Color: |-
                        blue
                        # not a comment

            # Testers
            forced: { x: a }
            """
        let expected = """
            status: running
            variants:
              -   key: a
                  buckets: [0%..<50%]
              -   key: b
                  buckets: []
                  overrides:
                    Shop:
                      Color: |-
                        blue
                        # not a comment
              -   key: c
                  buckets: [50%..<100%]

            # Testers
            forced: { x: a }
            """
        #expect(try edited(text, halves) == expected)
        // At the end of the file, with and without a last line break.
        #expect(
            try edited("status: running\nvariants:\n- key: a\n- key: b", halves)
                == "status: running\nvariants:\n- key: a\n  buckets: [0%..<50%]\n- key: b\n  buckets: []\n"
                + "- key: c\n  buckets: [50%..<100%]\n")
        #expect(
            try edited("status: running\nvariants:\n- key: a\n- key: b\n\n# end\n", halves)
                == "status: running\nvariants:\n- key: a\n  buckets: [0%..<50%]\n- key: b\n  buckets: []\n"
                + "- key: c\n  buckets: [50%..<100%]\n\n# end\n")
    }

    @Test("An edit keeps line endings and byte order marks")
    func lineEndsAndByteOrderMarksStay() throws {
        #expect(
            try edited("\u{feff}status: running\r\nvariants:\r\n  - key: a\r\n  - key: b\r\n", thirds)
                == "\u{feff}status: running\r\nvariants:\r\n  - key: a\r\n    buckets: [0%..<30%]\r\n  - key: b\r\n"
                + "    buckets: [30%..<100%]\r\n")
    }

    /// A text that the editor misreads is refused, never written.
    @Test("A file in an unknown layout is not edited")
    func whatIsNotUnderstoodIsRefused() throws {
        #expect(throws: ExperimentEditError.self) {
            try edited("status: running\nvariants:\n- ? key\n  : a\n- ? key\n  : b\n", thirds)
        }
    }

    @Test("An edit keeps comments in lists")
    func commentsInListsStay() throws {
        let text = """
            status: running
            variants:
              - key: a
                buckets:
                  # the first tranche
                  - 0%..<10%   # May
                  - 20%..<30%   # June
              - key: b
                buckets: [10%..<20%, # kept
                  30%..<40%]
                description: |-
                  text
                  # no comment
            """
        #expect(
            try edited(text, thirds + [("96", [])]) == """
                status: running
                variants:
                  - key: a
                    buckets: [0%..<30%]   # June
                    # the first tranche
                    # May
                  - key: b
                    buckets: [30%..<100%]
                    # kept
                    description: |-
                      text
                      # no comment
                  - key: "96"
                    buckets: []

                """)
        // In brackets there is no line for them.
        #expect(throws: ExperimentEditError.self) {
            try edited(
                "{ status: running, variants: [{ key: a, buckets: [0%..<10%, # x\n 20%..<30%] }, { key: b, buckets: "
                    + "[] }] }", thirds)
        }
    }
}
