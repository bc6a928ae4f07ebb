import AllotConfiguration
import AllotCore
import Testing

@testable import AllotImport

/// What flagd's SDK accepts and few would write: weights, references and nesting.
struct FlagdHostileTests {
    private static func problems(
        _ targeting: String, evaluators: String = "{}", hash: FlagdHash = .daemon
    ) throws -> String {
        try ImportCase.problems(.flagd, FlagdTests.payload(targeting, evaluators: evaluators), hash: hash)
            .joined(separator: "\n")
    }

    @Test(
        "What is computed or hashed as a number is refused",
        arguments: [
            (#"[["a", 1], {"if": [true, ["b", 1], ["a", 1]]}]"#, "[1]: a share that is computed"),
            (#"[["a", 1], {"var": "share"}]"#, "[1]: a share that is computed"),
            (#"[["a", {"var": "weight"}]]"#, "[0][1]: a weight that is computed"),
            (#"[5, ["a", 1], ["b", 1]]"#, "[0]: flagd hashes a number alone"),
        ])
    func computed(arguments: String, problem: String) throws {
        let problems = try Self.problems(#"{"fractional": \#(arguments)}"#, hash: .cbor)
        #expect(problems.contains("$.flags.color.targeting.fractional\(problem)"), "\(problems)")
    }

    /// Answers of `openfeature-flagd-core` 2.0.0 to all users.
    @Test(
        "A negative weight counts as 0, and weights that are too large or no whole numbers give the default",
        arguments: [
            (#"[["a", -99999999999999999999], ["b", 1]]"#, "b"), (#"[["a", -1], ["b", 1]]"#, "b"),
            (#"[["a", 99999999999999999999], ["b", 1]]"#, "c"), (#"[["a", 2147483647], ["b", 1]]"#, "c"),
            (#"[["a", true], ["b", 1]]"#, "c"), (#"[["a", 0.5], ["b", 1]]"#, "c"), (#"[["a", 0]]"#, "c"),
            (#"[["b", 2147483647]]"#, "b"), (#"[["b", 2147483648]]"#, "c"),
            (#"[["b", 99999999999999999999]]"#, "c"),
        ])
    func weights(arguments: String, served: String) throws {
        let users: [JSONObject] = ["u1", "u2", "u3"].map { ["targetingKey": $0] }
        let found = try FlagdTests.values(#"{"fractional": \#(arguments)}"#, users)
        #expect(found == users.map { _ in .string(served) })
    }

    @Test(
        "An evaluator that flagd changes as a template is refused where it is used",
        arguments: [(#"a\\b"#, true), (#"a\nb"#, true), ("ü", true), (#"a\"b"#, false)])
    func templates(text: String, isRefused: Bool) throws {
        let evaluators = #"{"e": {"==": [{"var": "x"}, "\#(text)"]}}"#
        let problems = try Self.problems(#"{"if": [{"$ref": "e"}, "a", "b"]}"#, evaluators: evaluators)
        #expect(
            problems.contains(#"$["$evaluators"].e: flagd puts the evaluator into flags as a template"#) == isRefused)
        let named = try Self.problems(#"{"if": [{"$ref": "ü"}, "a", "b"]}"#, evaluators: #"{"ü": {"!": true}}"#)
        #expect(named.contains("flagd finds evaluators by names of ASCII"))
    }

    @Test("A weight with a fraction of 0 is a whole number for the daemon, and not for Python")
    func wholeWeights() throws {
        let targeting = #"{"fractional": [["a", 1.0], ["b", 0]]}"#
        #expect(try FlagdTests.values(targeting, [["targetingKey": "u"]], hash: .daemon) == ["a"])
        #expect(try FlagdTests.values(targeting, [["targetingKey": "u"]], hash: .cbor) == ["c"])
    }

    @Test("A large evaluator that is used often is refused soon")
    func manyReferences() throws {
        let list = Array(repeating: #""someone@example.com""#, count: 2_000).joined(separator: ", ")
        let references = Array(repeating: #"{"$ref": "e"}"#, count: 2_000).joined(separator: ", ")
        let problems = try Self.problems(
            #"{"if": [{"or": [\#(references)]}, "a", "b"]}"#,
            evaluators: #"{"e": {"in": [{"var": "email"}, [\#(list)]]}}"#)
        #expect(problems.contains("evaluators are used so often"))
    }

    @Test("Expressions within each other, and long ones, are refused soon")
    func size() throws {
        var choice = #"{"==": [{"var": "x"}, 1]}"#
        var fraction = #"["a", 1]"#
        for depth in 0..<40 {
            choice = #"{"if": [\#(choice), {"==": [{"var": "y"}, 1]}, {"==": [{"var": "z"}, 1]}]}"#
            guard depth < 20 else { continue }
            fraction = #"[{"fractional": [{"cat": ["s", {"var": "x"}]}, \#(fraction), ["b", 1]]}, 1]"#
        }
        #expect(try Self.problems(#"{"if": [\#(choice), "a", "b"]}"#).contains("more than 100000 tests"))
        #expect(try Self.problems(#"{"fractional": [\#(fraction)]}"#).contains("too many combinations of fractionals"))
        let many = Array(repeating: #"{"==": [{"var": "x"}, 1]}"#, count: 2_000).joined(separator: ", ")
        for name in ["and", "if"] {
            #expect(try Self.problems(#"{"if": [{"\#(name)": [\#(many)]}, "a"]}"#).contains("more than 100000 tests"))
        }
        let branches = Array(repeating: #"{"var": "x"}, {"fractional": [["a", 1], ["b", 1]]}"#, count: 500)
        let chain = #"{"if": [\#(branches.joined(separator: ", "))]}"#
        #expect(try Self.problems(chain).contains("the flag would be more than 128 experiments"))
    }

    @Test("A short chain of conditions is decided as the first that holds says")
    func chain() throws {
        let targeting = """
            {"if": [{"if": [{"==": [{"var": "x"}, 1]}, {"var": "y"}, {"==": [{"var": "x"}, 2]}, {"!": {"var": "y"}},
            {"var": "z"}]}, "a", "b"]}
            """
        let subjects: [JSONObject] = [
            ["x": 1, "y": true], ["x": 1, "z": true], ["x": 2, "y": true], ["x": 2], ["x": 3, "z": true], ["y": true],
        ]
        #expect(try FlagdTests.values(targeting, subjects) == ["a", "b", "b", "a", "a", "b"])
    }

    @Test("The report says whose IDs have no bucket, also for fractionals within others")
    func notes() throws {
        let inner = #"{"fractional": [{"cat": ["s", {"var": "email"}]}, [{"if": [{"var": "x"}, "a", "b"]}, 1]]}"#
        let notes = try ImportCase.notes(.flagd, FlagdTests.payload(inner))
        #expect(notes.contains { $0.contains("2^53") && $0.contains("1,024 bytes") }, "\(notes)")
    }
}
