import AllotDefinitions
import Testing

/// Audiences that look disjoint, and that one unit can be in: a proof of these would let experiments collide.
struct UnprovenAudienceTests {
    @Test(
        "Audiences that one value satisfies are not disjoint",
        arguments: [
            // Text without a type is read as the literal's type.
            ("x: 5", "x: \"5\""), ("x: 5", "x: \"5.0\""), ("x: 5", "x: \"5e0\""), ("x: true", "x: \"TRUE\""),
            ("x: true", "x: \"true\""), ("x: false", "x: { $in: [\"False\", no] }"),
            ("x: 1", "x: { $startsWith: \"1\" }"), ("n: { $lt: 50 }", "n: { $gte: \"3\" }"),
            ("n: { $gt: 50 }", "n: { $lt: \"6\" }"), ("n: 30", "n: { $lt: \"5\" }"),
            ("v: { $vgte: 3.10.0 }", "v: { $lt: \"3.9\" }"), ("v: { $gt: 5 }", "v: { $vlt: 99 }"),
            ("v: 7", "v: { $vgte: 7 }"),
            ("t: { $after: \"2026-01-01T00:00:00Z\" }", "t: { $lt: \"2026-01-01T00:00:00Z\" }"),
            ("x: 5", "x: { $type: string }"), ("x: 5", "x: { $regex: ^5 }"), ("x: true", "x: { $gt: a }"),
            // Equal in another spelling.
            ("n: 100", "n: 1e2"), ("n: 0", "n: -0.0"), ("v: { $veq: 1 }", "v: { $veq: 1.0.0+build }"),
            // A missing attribute passes what is negated.
            ("n: { $not: { $lt: 5 } }", "n: { $not: { $gte: 5 } }"), ("x: { $ne: a }", "x: { $ne: b }"),
            ("x: { $nin: [a] }", "x: { $nin: [b] }"), ("v: { $vne: 1 }", "v: { $vne: 2 }"),
            ("x: null", "x: { $exists: false }"),
            // Case that is ignored.
            ("x: { $ini: [de] }", "x: DE"), ("x: { $ini: [de] }", "x: { $ini: [DE] }"),
            ("x: { $startsWithi: De }", "x: { $startsWith: DEU }"),
            ("x: { $startsWith: [a, b] }", "x: { $startsWith: bc }"),
            ("x: { $startsWith: a }", "x: { $endsWith: b }"), ("x: { $endsWithi: É }", "x: { $endsWith: \"é\" }"),
            ("x: { $startsWithi: \"İ\" }", "x: { $startsWithi: i }"), ("x: { $contains: a }", "x: { $contains: b }"),
            ("n: { $gt: 1767225600 }", "n: { $onOrBefore: { instant: 2026-01-01T00:00:01Z, epoch: seconds } }"),
            ("x: { $inNetwork: 10.0.0.0/8 }", "x: { $inNetwork: [11.0.0.0/8, 10.1.0.0/16] }"),
            ("x: { $inNetwork: 10.0.0.0/8 }", "x: { $inNetwork: \"::ffff:10.1.0.0/112\" }"),
            ("x: { $notInNetwork: 10.0.0.0/8 }", "x: { $notInNetwork: \"::/0\" }"),
            ("t: { $onOrAfter: \"2026-01-01T00:00:00Z\" }", "t: { $onOrBefore: \"2026-01-01T00:00:00Z\" }"),
            ("v: { $vgt: 1.2.3 }", "v: { $vlt: 1.2.3.2 }"),
            // Lists hold several values.
            ("tags: { $in: [a], $size: 2 }", "tags: { $in: [b] }"), ("tags: { $in: [a] }", "tags: { $all: [b] }"),
            ("tags: { $in: [a] }", "tags: { $elemMatch: { $eq: b } }"), ("tags: { $all: [a] }", "tags: { $all: [b] }"),
            ("tags: { $in: [a] }", "tags: [a, b]"), ("tags: { $in: [a], $type: array }", "tags: { $in: [b] }"),
            // Only a list is in both of two disjoint sets, or in a set and unequal to its one literal.
            ("$and: [{ tags: { $in: [a] } }, { tags: { $in: [b] } }]", "tags: { $in: [a] }"),
            ("$and: [{ tags: { $in: [a] } }, { tags: { $in: [b] } }]", "tags: { $in: [c] }"),
            ("tags: { $in: [a], $ne: a }", "tags: { $in: [a] }"), ("tags: { $in: [a], $ne: a }", "tags: { $nin: [b] }"),
            ("tags: { $in: [a], $size: 2 }", "tags: { $nin: [b] }"),
            // Only a list is in a set and not of the type of its literals.
            ("x: { $in: [DE], $not: { $type: string } }", "x: { $in: [FR], $not: { $type: string } }"),
            ("x: { $in: [DE], $not: { $type: string } }", "x: { $in: [FR] }"),
            ("x: { $in: [true] }, $nor: [{ x: { $type: boolean } }]", "x: { $in: [false] }"),
            ("$not: { x: { $type: string } }, x: { $in: [\"5\", DE] }", "x: { $in: [FR] }"),
            // Text without a type has every type that it reads as.
            ("x: \"5\"", "x: { $type: number }"), ("x: \"True\"", "x: { $type: boolean }"),
            ("x: 5", "x: { $not: { $type: number } }"), ("x: 5", "x: { $not: { $type: string } }"),
            ("x: true", "x: { $type: string }"), ("x: true", "x: { $not: { $type: string } }"),
            // Other attributes.
            ("a: 1", "b: 2"), ("a.b: 1", "a: 2"), ("\"\\u00E9\": 1", "\"e\\u0301\": 2"),
            // Other alternatives.
            ("$or: [{ x: a }, { y: 1 }]", "x: b"), ("$not: { x: a, y: 1 }", "x: a"), ("$or: []", "x: b"), ("{}", "{}"),
        ])
    func canMeet(first: String, second: String) {
        func audience(_ text: String) -> String { text == "{}" ? "audience: {}" : "audience: { \(text) }" }
        for (one, other) in [(first, second), (second, first)] {
            let files = Files.base + ["a.yaml": experiment(audience(one)), "b.yaml": experiment(audience(other))]
            #expect(ConflictPair.conflicts(in: files).count == 1)
            #expect(DefinitionsLoader.fixed.problems(in: files).filter { $0.severity == .error }.count == 1)
        }
    }

    @Test("An attribute that any audience of the folder tests as a list is one in all of them")
    func listsOfTheFolder() {
        let files =
            Files.base + [
                "a.yaml": experiment("audience: { tags: { $in: [a] } }"),
                "b.yaml": experiment("audience: { tags: { $in: [b] } }"),
            ]
        #expect(ConflictPair.conflicts(in: files).isEmpty)
        for test in ["$all: [a]", "$size: 2", "$elemMatch: { $eq: a }", "$type: array", "$not: { $size: 1 }"] {
            let third = "status: draft\naudience: { $or: [{ country: DE }, { tags: { \(test) } }] }\n"
            let all = files + ["c.yaml": third + "variants: [{ key: a }]"]
            #expect(ConflictPair.conflicts(in: all).count == 1, "\(test)")
        }
    }

    @Test("Audiences with too many alternatives are not compared")
    func moreAlternativesThanAreLookedAt() {
        func audience(_ country: String, _ count: Int) -> String {
            let alternatives = (0..<count).map { "{ x: \($0), country: \(country) }" }.joined(separator: ", ")
            return experiment("audience: { $or: [\(alternatives)] }")
        }
        let few = Files.base + ["a.yaml": audience("DE", 64), "b.yaml": audience("FR", 64)]
        #expect(ConflictPair.conflicts(in: few).isEmpty)
        let many = Files.base + ["a.yaml": audience("DE", 65), "b.yaml": audience("FR", 65)]
        #expect(ConflictPair.conflicts(in: many).count == 1)
    }

    @Test("Parts of an audience with too many alternatives leave the proofs of the others")
    func tooManyAlternativesBesideOneTest() {
        func any(_ name: String, _ count: Int) -> String {
            "{ $or: [\((0..<count).map { "{ \(name): { $gt: \($0) }, z: \($0) }" }.joined(separator: ", "))] }"
        }
        for parts in ["\(any("a", 9)), \(any("b", 8))", any("a", 65)] {
            let first = experiment("audience: { $and: [\(parts)], country: DE }")
            let apart = Files.base + ["a.yaml": first, "b.yaml": experiment("audience: { country: FR }")]
            #expect(ConflictPair.conflicts(in: apart).isEmpty)
            let together = Files.base + ["a.yaml": first, "b.yaml": experiment("audience: { country: DE }")]
            #expect(ConflictPair.conflicts(in: together).count == 1)
        }
    }
}
