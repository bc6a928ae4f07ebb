import AllotConfiguration
import AllotCore
import Testing

@testable import AllotImport

/// Features of Unleash: what is decided, and what is refused and where.
struct UnleashTests {
    /// A payload with features, given as the members after name and state of each.
    private static func payload(_ features: [(name: String, rest: String)]) -> String {
        let list = features.map { #"{"name": "\#($0.name)", "enabled": true, \#($0.rest)}"# }
        return #"{"version": 2, "features": [\#(list.joined(separator: ", "))]}"#
    }

    /// A payload with a feature `f` that has one strategy.
    private static func payload(strategy: String) -> String {
        payload([("f", #""strategies": [\#(strategy)]"#)])
    }

    private static func payload(constraint: String) -> String {
        payload(strategy: #"{"name": "default", "constraints": [\#(constraint)]}"#)
    }

    /// The users among u0 to u39 for which a setting has a value.
    private static func users(
        _ definitions: ImportedDefinitions, _ setting: String, _ value: JSONValue = true
    ) -> [Int] {
        (0..<40).filter { ImportCase.value(definitions, setting, ["userId": .string("u\($0)")]) == value }
    }

    @Test(
        "IN_CIDR holds for addresses within its networks, and what is neither address nor network counts for nothing",
        arguments: [
            (#"["10.0.0.0/8", "2001:db8::/32"]"#, false, [1, 0, 1, 0, 0]), (#"["10.1.2.3"]"#, false, [1, 0, 0, 0, 0]),
            (#"["10.1.2.3/8", "nonsense"]"#, false, [1, 0, 0, 0, 0]), (#"["nonsense"]"#, false, [0, 0, 0, 0, 0]),
            (#"["10.0.0.0/33", "10.0.0.0/-8", "10.0.0/8", "010.0.0.0/8", "2001:db8::/129"]"#, false, [0, 0, 0, 0, 0]),
            (#"["10.0.0.0/+8", "2001:db8::/032"]"#, false, [1, 0, 1, 0, 0]),
            (#"["2001:DB8:0::7/32", "::1", "::2/128"]"#, false, [0, 0, 1, 0, 0]),
            (#"["0.0.0.0/0"]"#, true, [0, 0, 1, 1, 1]), (#"["nonsense"]"#, true, [1, 1, 1, 1, 1]),
            // Without values the engine cannot read it, and switches the feature off.
            ("[]", false, [0, 0, 0, 0, 0]), ("[]", true, [0, 0, 0, 0, 0]), ("null", true, [0, 0, 0, 0, 0]),
        ])
    func networks(values: String, isInverted: Bool, expected: [Int]) throws {
        let constraint =
            #"{"contextName": "ip", "operator": "IN_CIDR", "inverted": \#(isInverted), "values": \#(values)}"#
        let definitions = try ImportCase.definitions(.unleash, Self.payload(constraint: constraint))
        let users: [JSONObject] = [
            ["ip": "10.1.2.3"], ["ip": "11.0.0.1"], ["ip": "2001:db8::1"], ["ip": "10.1.2"], [:],
        ]
        let found = users.map { ImportCase.value(definitions, "f", $0) == true ? 1 : 0 }
        #expect(found == expected)
    }

    @Test(
        "Networks that Unleash reads otherwise are refused at their place",
        arguments: [
            (#"["10.0.0.0/255.0.0.0"]"#, "has a mask"), (#"["::/0"]"#, "IPv4 addresses"),
            (#"["0:0::/80"]"#, "IPv4 addresses"), (#"["0:0:0:0:0:ffff:10.0.0.0/104"]"#, "IPv4 addresses"),
            ("[10]", "expected text here"), ("[null]", "expected text here"), (#""10.0.0.0/8""#, "expected a list"),
            (#"["10.0.0.0/8\\"]"#, "ends with a backslash"),
        ])
    func refusedNetworks(values: String, problem: String) throws {
        let constraint = #"{"contextName": "ip", "operator": "IN_CIDR", "values": \#(values)}"#
        let problems = try ImportCase.problems(.unleash, Self.payload(constraint: constraint))
        let parts = ["strategies[0].constraints[0].values", problem]
        #expect(problems.map { line in parts.map { line.contains($0) } } == [[true, true]], "\(problems)")
    }

    private static let empty = #"""
        {"name": "flexibleRollout", "parameters": {"rollout": "100", "stickiness": "userId", "groupId": ""},
        "variants": [{"name": "a", "weight": 500}, {"name": "b", "weight": 500}]}
        """#
    private static let parent = """
        "strategies": [{"name": "flexibleRollout", "parameters": {"rollout": "60"}}],
        "variants": [{"name": "a", "weight": 1}, {"name": "b", "weight": 1}]
        """

    private static func rollout(_ member: String) -> String {
        payload(
            strategy: #"""
                {"name": "flexibleRollout", "parameters": {"rollout": "50", "stickiness": "userId"\#(member)}}
                """#)
    }

    /// Payloads with a setting, a value of it and the users among u0 to u39 that have it, by UnleashClient 6.9.1.
    @Test(
        "An empty group draws as one, a missing group is the feature's name, and a parent's variants are in its own",
        arguments: [
            (rollout(#", "groupId": """#), "f", true, [5, 6, 7, 8, 11, 13, 15, 16, 18, 24, 25, 29, 35, 37, 39]),
            (
                rollout(""), "f", true,
                [0, 1, 2, 3, 4, 5, 6, 8, 9, 16, 17, 18, 20, 22, 24, 25, 26, 27, 29, 30, 33, 34, 35, 39]
            ),
            (
                payload(strategy: empty), "f.variant", "a",
                [0, 2, 4, 5, 7, 9, 11, 12, 13, 14, 16, 17, 19, 24, 26, 31, 33, 34, 37]
            ),
            (
                payload([
                    ("parent", parent),
                    ("child", #""strategies": [], "dependencies": [{"feature": "parent", "variants": ["a"]}]"#),
                ]), "child", true, [2, 4, 6, 10, 11, 17, 19, 25, 26, 27, 32, 34, 36]
            ),
        ] as [(String, String, JSONValue, [Int])])
    func groups(payload: String, setting: String, value: JSONValue, expected: [Int]) throws {
        #expect(Self.users(try ImportCase.definitions(.unleash, payload), setting, value) == expected)
    }

    @Test(
        "A parameter that is not text is refused, whatever its name, as the SDK refuses the payload",
        arguments: [
            (#"{"rollout": "50", "groupId": null}"#, ".parameters.groupId", "null"),
            (#"{"rollout": "50", "other": 5}"#, ".parameters.other", "the number 5"),
            ("[]", ".parameters", "a list"),
        ])
    func parameters(parameters: String, place: String, found: String) throws {
        let payload = Self.payload(strategy: #"{"name": "flexibleRollout", "parameters": \#(parameters)}"#)
        let report = try ImportCase.definitions(.unleash, payload, skipsInexact: true).report
        let problem = report.leftOut.first?.problem
        #expect(problem?.path.description.hasSuffix("strategies[0]\(place)") == true)
        #expect(problem?.message.hasSuffix("not \(found)") == true, "\(problem?.message ?? "")")
    }

    @Test("A parent whose rollout names no group is drawn in the name of the child that asks")
    func groupOfParent() throws {
        let rollout = #""strategies": [{"name": "flexibleRollout", "parameters": {"rollout": "50"}}]"#
        let asks = #", "dependencies": [{"feature": "parent"}]"#
        let definitions = try ImportCase.definitions(
            .unleash,
            Self.payload([
                ("parent", rollout), ("child", #""strategies": []"# + asks), ("alike", rollout + asks),
            ]))
        let alone = try ImportCase.definitions(.unleash, Self.payload([("child", rollout), ("alike", rollout)]))
        #expect(Self.users(definitions, "child") == Self.users(alone, "child"))
        #expect(Self.users(definitions, "alike") == Self.users(alone, "alike"))
        #expect(Self.users(definitions, "parent") != Self.users(definitions, "child"))
    }

    @Test("A large parent that many children would draw in their own names is copied so often, and no more")
    func manyChildren() throws {
        let variants = (["a"] + (0..<60).map { "v\($0)" }).map { #"{"name": "\#($0)", "weight": 1}"# }
        let parent = """
            "strategies": [{"name": "flexibleRollout", "parameters": {"rollout": "50"}}, {"name": "userWithId",
            "parameters": {"userIds": "\(String(repeating: "u", count: 10_000))"}}],
            "variants": [\(variants.joined(separator: ", "))]
            """
        let children = (0..<40).map { index in
            ("child-\(index)", #""strategies": [], "dependencies": [{"feature": "parent", "variants": ["a"]}]"#)
        }
        let problems = try ImportCase.problems(.unleash, Self.payload([("parent", parent)] + children))
        #expect(problems.contains { $0.contains("copied too often") }, "\(problems.first ?? "none")")
    }

    @Test("An infinite number, and JSON that Allot does not read, are refused")
    func refused() throws {
        let strategy =
            #"{"name": "default", "constraints": [{"contextName": "a", "operator": "NUM_LT", "value": "1e400"}]}"#
        let variant = #"{"name": "v", "weight": 1, "payload": {"type": "json", "value": "{\"a\": 1, \"a\": 2}"}}"#
        let problems = try ImportCase.problems(
            .unleash,
            Self.payload([
                ("f", #""strategies": [\#(strategy)]"#), ("g", #""strategies": [], "variants": [\#(variant)]"#),
            ]))
        #expect(problems.count == 2)
        #expect(problems[0].contains("the number 1e400 is too large"))
        #expect(problems[1].contains("$.features[1].variants[0].payload: Allot does not read this JSON"))
    }

    @Test("A payload of the type json that is not JSON is text, and a note names the features")
    func textAsJSON() throws {
        func variants(_ payload: String) -> String {
            #""variants": [{"name": "v", "weight": 1, "payload": {"type": \#(payload)}}]"#
        }
        let bad = variants(#""json", "value": "{ a: 1 }""#)
        let features = [
            ("own", #""strategies": [], "# + bad),
            (
                "of-strategy",
                #""strategies": [{"name": "flexibleRollout", "parameters": {"rollout": "100"}, \#(bad)}]"#
            ),
            ("json", #""strategies": [], "# + variants(#""json", "value": "{\"a\": 1}""#)),
            ("empty", #""strategies": [], "# + variants(#""json", "value": """#)),
            ("text", #""strategies": [], "# + variants(#""string", "value": "{ a: 1 }""#)),
        ]
        let definitions = try ImportCase.definitions(.unleash, Self.payload(features))
        let values = features.map {
            ImportCase.value(definitions, "\($0.0).payload", ["userId": "u"])
        }
        #expect(values == ["{ a: 1 }", "{ a: 1 }", ["a": 1], "", "{ a: 1 }"])
        let notes = definitions.report.notes.filter { $0.contains("is not JSON") }
        #expect(notes.count == 1)
        #expect(notes.first?.hasSuffix("let the app expect text (own, of-strategy, empty).") == true)
    }

    @Test("The report names members that are unknown")
    func unknownMembers() throws {
        let notes = try ImportCase.notes(.unleash, Self.payload([("f", #""strategies": [], "color": 1"#)]))
        #expect(notes.contains { $0.hasPrefix("$.features[0].color is not known") })
    }
}
