import AllotConfiguration
import AllotCore
import CAllot
import Foundation
import TestSupport
import Testing

/// One unit: decisions, configuration and explanation.
struct DecidingTests {
    private static let attributes = #"{"user_id": "user-042", "country": "DE", "platform": "ios", "orders": 3}"#
    private static let at = "2026-11-21T12:00:00Z"

    private func command(_ name: String, _ options: String...) throws -> String {
        let arguments = [name, "user-042", "--attributes", #"{"country": "DE", "platform": "ios", "orders": 3}"#]
        return try Outcome(of: BuiltProgram("allot").url, arguments + ["--at", Self.at] + options, in: root).text
    }

    @Test("Decisions are those of the library")
    func decisions() throws {
        let plan = try LentPlan(experiments: [
            ("b", "status: running\nvariants: [{ key: x }, { key: y }]\nforced: { u: y }\n"),
            ("a", "status: running\nvariants: [{ key: x }]\n"), ("c", "status: draft\nvariants: [{ key: x }]\n"),
        ])
        let decided = try text { allot_decide(plan.pointer, #"{"user_id": "u"}"#, nil, $0, $1) }
        let revisions = plan.plan.experiments.map(\.revision)
        let bucket = plan.plan.assignments(for: Subject(attributes: ["user_id": "u"]), at: .now)[0].bucket ?? -1
        let expected = [
            #"{"experiment":"a","variant":"x","reason":"split","bucket":\#(bucket),"revision":"\#(revisions[0])"}"#,
            #"{"experiment":"b","variant":"y","reason":"forced","bucket":null,"revision":"\#(revisions[1])"}"#,
            #"{"experiment":"c","variant":null,"reason":"draft","bucket":null,"revision":"\#(revisions[2])"}"#,
        ]
        func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }
        #expect(try json(decided) == json("[\(expected.joined(separator: ","))]"))
        let selected = try text {
            allot_decide(plan.pointer, #"{"user_id": "u"}"#, #"{"experiments": ["c", "a"]}"#, $0, $1)
        }
        #expect(try json(selected) == json("[\(expected[0]),\(expected[2])]"))
    }

    @Test("Configuration and explanation are those of the commands", .blocks)
    func reports() throws {
        try withPlan { plan in
            let options = #"{"at": "\#(Self.at)"}"#
            let configuration = try text { allot_config(plan, Self.attributes, options, $0, $1) }
            #expect(
                try command("config").trimmingCharacters(in: .newlines)
                    == configuration.trimmingCharacters(in: .newlines))
            let explanation = try text { allot_explain(plan, Self.attributes, options, $0, $1) }
            #expect(try command("explain", "--json") == explanation + "\n")
            let text = try text {
                allot_explain(plan, Self.attributes, #"{"at": "\#(Self.at)", "format": "text"}"#, $0, $1)
            }
            #expect(try command("explain").trimmingCharacters(in: .newlines) == text.trimmingCharacters(in: .newlines))
        }
    }

    @Test("Notes name the attributes that no experiment looks at, and have no hidden characters")
    func notes() throws {
        let plan = try LentPlan(experiments: [
            ("a", "status: running\naudience: { platform: web }\nvariants: [{ key: x }]\n")
        ])
        for (attributes, expected) in [
            (#"{"user_id": "u", "platform": "web"}"#, "[]"),
            (
                #"{"user_id": "u", "plattform": "web", "x\u202E": 1}"#,
                #"["no experiment looks at \"plattform\"; did you mean \"platform\"?","#
                    + #""no experiment looks at \"x\\u202E\""]"#
            ),
        ] {
            #expect(try text { allot_notes(plan.pointer, attributes, $0, $1) } == expected)
        }
    }

    @Test("An explanation as HTML has no markup of the caller's")
    func html() throws {
        let plan = try LentPlan(experiments: [
            ("a", "status: running\naudience: { x: { $in: [\"<b>\"] } }\nvariants: [{ key: x }]\n")
        ])
        let html = try text {
            allot_explain(plan.pointer, #"{"user_id": "<i>", "x": "<script>"}"#, #"{"format": "html"}"#, $0, $1)
        }
        #expect(html.hasPrefix("<div class=\"allot-explanation\"><details><summary>&lt;i&gt; gets no variant of a: "))
        #expect(html.contains("&lt;script&gt;"))
        for markup in ["<script>", "<i>", "<b>"] { #expect(!html.contains(markup)) }
    }

    @Test(
        "What cannot be decided",
        arguments: [
            ("{", nil, "attributes: not valid JSON, at line 1, column 2: "),
            ("[]", nil, "attributes: not a JSON object, such as "),
            ("", nil, "attributes: not valid JSON"), (#"{"user_id": "u"}"#, #"{"experiments": ["x"]}"#, "x"),
            (#"{"user_id": "u"}"#, #"{"at": "2026-11-21"}"#, #"the option at, "2026-11-21", "#),
            (#"{"user_id": "u"}"#, #"{"format": "json"}"#, #"unknown option "format"; known are at, experiments"#),
        ] as [(String, String?, String)])
    func failures(attributes: String, options: String?, message: String) throws {
        let plan = try LentPlan(experiments: [("a", "status: running\nvariants: [{ key: x }]\n")])
        let failure = #expect(throws: Failure.self) {
            try text { allot_decide(plan.pointer, attributes, options, $0, $1) }
        }
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
        #expect(failure?.status == Int(ALLOT_INVALID_ARGUMENT))
    }

    @Test("A text with a zero byte, which would end it in C")
    func zeroBytes() throws {
        let plan = try LentPlan(experiments: [("a", "status: running\nvariants: [{ key: x }]\n")])
        let text = try text { allot_explain(plan.pointer, #"{"user_id": "a\u0000b"}"#, #"{"format": "text"}"#, $0, $1) }
        #expect(text.hasSuffix("\n") || !text.isEmpty)
    }

    @Test("Threads share a plan")
    func threads() throws {
        let plan = try LentPlan(HostileTable<SeededGenerator>.definitions)
        let address = UInt(bitPattern: plan.pointer)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            guard let pointer = OpaquePointer(bitPattern: address) else { return }
            for round in 0..<20 {
                let attributes = #"{"user_id": "u\#(round)"}"#
                _ = try? text { allot_config(pointer, attributes, nil, $0, $1) }
                let first = try? text { allot_decide(pointer, attributes, #"{"at": "2026-01-01T00:00:00Z"}"#, $0, $1) }
                let second = try? text { allot_decide(pointer, attributes, #"{"at": "2026-01-01T00:00:00Z"}"#, $0, $1) }
                #expect(first != nil, "thread \(thread)")
                #expect(first == second, "thread \(thread)")
            }
        }
        withExtendedLifetime(plan) {}
    }
}
