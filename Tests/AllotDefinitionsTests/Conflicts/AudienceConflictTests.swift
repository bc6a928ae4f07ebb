import Testing

struct AudienceConflictTests {
    @Test(
        "Audiences that no value satisfies together are disjoint",
        arguments: [
            ConflictPair(audiences: "two values", "country: DE", "country: FR", nearMiss: "country: DE"),
            ConflictPair(audiences: "$eq", "country: { $eq: DE }", "country: FR", nearMiss: "city: Paris"),
            ConflictPair(
                audiences: "two sets", "country: { $in: [DE, FR] }", "country: { $in: [US, GB] }",
                nearMiss: "country: { $in: [US, FR] }"),
            ConflictPair(
                audiences: "a set and a value", "country: { $in: [DE, FR] }", "country: US", nearMiss: "country: FR"),
            ConflictPair(
                audiences: "a set within the same larger set", "$and: [{ x: { $in: [A, B] } }, { x: { $in: [A, C] } }]",
                "$and: [{ x: { $in: [A, B] } }, { x: { $in: [B, C] } }]",
                nearMiss: "$and: [{ x: { $in: [A, B] } }, { x: { $in: [A, B, C] } }]"),
            ConflictPair(audiences: "an empty set", "x: DE", "x: { $in: [] }", nearMiss: "x: { $nin: [] }"),
            ConflictPair(audiences: "two numbers", "n: 5", "n: 6", nearMiss: "n: 5.0"),
            ConflictPair(audiences: "booleans", "pro: true", "pro: false", nearMiss: "pro: { $ne: false }"),
            ConflictPair(audiences: "values of two types", "x: 5", "x: DE", nearMiss: "x: { $in: [DE, 5] }"),
            ConflictPair(
                audiences: "a text and a type", "x: DE", "x: { $type: number }", nearMiss: "x: { $type: string }"),
            ConflictPair(
                audiences: "a number and a type", "x: 5", "x: { $type: boolean }", nearMiss: "x: { $type: number }"),
            ConflictPair(
                audiences: "a boolean and not its type", "x: true", "x: { $not: { $type: boolean } }",
                nearMiss: "x: { $not: { $type: string } }"),
            ConflictPair(audiences: "null and a value", "x: null", "x: DE", nearMiss: "x: { $in: [DE, null] }"),
            ConflictPair(
                audiences: "missing and present", "x: { $exists: false }", "x: { $exists: true }",
                nearMiss: "x: { $ne: DE }"),
            ConflictPair(
                audiences: "missing and compared", "x: { $exists: false }", "x: { $gt: 0 }", nearMiss: "x: { $ne: 5 }"),
            ConflictPair(
                audiences: "a set and its complement", "country: { $in: [DE, FR] }", "country: { $nin: [DE, FR, US] }",
                nearMiss: "country: { $nin: [DE] }"),
            ConflictPair(audiences: "a value and $ne", "x: DE", "x: { $ne: DE }", nearMiss: "x: { $ne: FR }"),
            ConflictPair(
                audiences: "$not below a name", "x: DE", "x: { $not: { $eq: DE } }", nearMiss: "x: { $not: FR }"),
            ConflictPair(audiences: "$not", "x: DE", "$not: { x: DE }", nearMiss: "$not: { x: DE, y: 1 }"),
            ConflictPair(audiences: "$nor", "x: DE", "$nor: [{ y: 1 }, { x: DE }]", nearMiss: "$nor: [{ y: 1 }]"),
            ConflictPair(audiences: "$and", "x: DE", "$and: [{ y: 1 }, { x: FR }]", nearMiss: "$and: [{ y: 1 }]"),
            ConflictPair(
                audiences: "$or", "$or: [{ x: DE }, { x: FR }]", "x: { $in: [US, GB] }",
                nearMiss: "x: { $in: [US, FR] }"),
            ConflictPair(
                audiences: "$or on both sides", "$or: [{ x: DE, y: 1 }, { y: 2 }]", "$or: [{ y: 3 }, { x: US, y: 1 }]",
                nearMiss: "$or: [{ y: 3 }, { x: US }]"),
            ConflictPair(audiences: "an empty $nor", "x: DE", "$nor: []", nearMiss: "$or: []"),
            ConflictPair(
                audiences: "one of several attributes", "a: 1, b: 2, c: 3", "b: 2, c: 4, d: 5",
                nearMiss: "b: 2, c: 3, d: 5"
            ),
            ConflictPair(
                audiences: "a name with dots", "device.os: ios", "device.os: android", nearMiss: "device: android"),
            ConflictPair(
                audiences: "text that a pattern refuses", "x: Berlin", "x: { $regex: ^M }",
                nearMiss: "x: { $regex: ^B }"),
            ConflictPair(
                audiences: "text that begins otherwise", "x: Berlin", "x: { $startsWith: M }",
                nearMiss: "x: { $startsWith: Ber }"),
            ConflictPair(
                audiences: "text that ends otherwise", "x: Berlin", "x: { $endsWith: M }",
                nearMiss: "x: { $endsWith: lin }"
            ),
            ConflictPair(
                audiences: "text without a part", "x: Berlin", "x: { $contains: M }",
                nearMiss: "x: { $contains: erl "
                    + "}"),
            ConflictPair(audiences: "a value is not a list", "x: a", "x: { $all: [a] }", nearMiss: "x: { $in: [a] }"),
            ConflictPair(
                audiences: "a set of text, not a list", "x: { $in: [a], $type: string }",
                "x: { $in: [b], $not: { $size: 1 } }", nearMiss: "x: { $in: [a, b], $not: { $size: 1 } }"),
            ConflictPair(
                audiences: "elements that a list must not have", "x: { $in: [a], $size: 1 }", "x: { $nin: [a, b] }",
                nearMiss: "x: { $nin: [b] }"),
        ])
    func provablyDisjoint(pair: ConflictPair) {
        pair.check()
    }

    @Test(
        "A test and its negation are disjoint",
        arguments: [
            ConflictPair(
                audiences: "patterns", "x: { $regex: de }", "x: { $not: { $regex: de } }",
                nearMiss: "x: { $not: { $regex: fr } }"),
            ConflictPair(
                audiences: "beginnings", "x: { $startsWith: \"5\" }", "$nor: [{ x: { $startsWith: \"5\" } }]",
                nearMiss: "$nor: [{ x: { $startsWith: \"6\" } }]"),
            ConflictPair(
                audiences: "a number", "x: { $gt: 5 }", "x: { $not: { $gt: 5.0 } }",
                nearMiss: "x: { $not: { $gt: 6 } }"),
            ConflictPair(
                audiences: "in any case", "x: { $ini: [a, b] }", "x: { $nini: [b, a] }", nearMiss: "x: { $nini: [a] }"),
            ConflictPair(
                audiences: "a version", "x: { $veq: 1.2.3 }", "x: { $vne: 1.2.3 }", nearMiss: "x: { $vne: 1.2.4 }"),
            ConflictPair(
                audiences: "versions", "x: { $vgte: 1.2.3 }", "$nor: [{ x: { $vgte: 1.2.3 } }]",
                nearMiss: "$nor: [{ x: { $vgte: 1.2.4 } }]"),
            ConflictPair(
                audiences: "networks", "x: { $inNetwork: [10.0.0.0/8, 11.0.0.0/8] }",
                "x: { $notInNetwork: [11.0.0.0/8, 10.0.0.0/8] }", nearMiss: "x: { $notInNetwork: 10.0.0.0/8 }"),
            ConflictPair(
                audiences: "lists", "x: { $all: [a] }", "$nor: [{ x: { $all: [a] } }]",
                nearMiss: "$nor: [{ x: { $all: [b] } }]"),
            ConflictPair(
                audiences: "sets of list elements", "x: { $in: [a], $size: 2 }", "x: { $nin: [a] }",
                nearMiss: "x: { $nin: [b] }"),
            ConflictPair(
                audiences: "another negation excludes it", "x: { $regex: a }, y: { $in: [1] }",
                "$or: [{ x: { $regex: a, $not: { $regex: a } } }, { y: { $in: [2] } }]",
                nearMiss: "$or: [{ x: { $regex: a, $not: { $regex: b } } }, { y: { $in: [2] } }]"),
        ])
    func negations(pair: ConflictPair) {
        pair.check()
    }

    @Test(
        "Ranges that do not intersect are disjoint",
        arguments: [
            ConflictPair(
                audiences: "below and from", "n: { $lt: 5 }", "n: { $gte: 5 }", nearMiss: "n: { $gte: 4.999 }"),
            ConflictPair(
                audiences: "above and up to", "n: { $gt: 5 }", "n: { $lte: 5 }", nearMiss: "n: { $lte: 5.001 }"),
            ConflictPair(audiences: "closed ends", "n: { $lte: 5 }", "n: { $gte: 5.5 }", nearMiss: "n: { $gte: 5 }"),
            ConflictPair(audiences: "open ends", "n: { $lt: 5 }", "n: { $gt: 5 }", nearMiss: "n: { $gt: 4 }"),
            ConflictPair(audiences: "a number outside", "n: 5", "n: { $gt: 5 }", nearMiss: "n: { $gte: 5 }"),
            ConflictPair(
                audiences: "numbers outside", "n: { $in: [1, 2, 9] }", "n: { $gt: 2, $lt: 9 }",
                nearMiss: "n: { $gte: 2, $lt: 9 }"),
            ConflictPair(
                audiences: "text of a number outside", "n: \"5\"", "n: { $gt: 5 }", nearMiss: "n: { $gte: 5 }"),
            ConflictPair(
                audiences: "text that is not a number", "n: five", "n: { $gt: 5 }", nearMiss: "n: { $gt: \"5\" }"),
            ConflictPair(
                audiences: "a boolean is not a number", "n: true", "n: { $gt: 0 }", nearMiss: "n: { $exists: true }"),
            ConflictPair(
                audiences: "the narrowest counts", "n: { $lt: 9, $lte: 3 }", "n: { $gt: 3 }",
                nearMiss: "n: { $gt: 2 "
                    + "}"),
            ConflictPair(audiences: "text in order", "n: { $lt: M }", "n: { $gte: M }", nearMiss: "n: { $gte: L }"),
            ConflictPair(
                audiences: "bytes, not letters", "n: { $lt: a }", "n: { $gte: ä }", nearMiss: "n: { $gte: Z }"),
            ConflictPair(audiences: "a text outside", "n: Z", "n: { $gt: a }", nearMiss: "n: { $lt: a }"),
        ])
    func ranges(pair: ConflictPair) {
        pair.check()
    }

    @Test(
        "Versions and instants are compared by their order",
        arguments: [
            ConflictPair(
                audiences: "below and from", "v: { $vlt: 2.0.0 }", "v: { $vgte: v2 }",
                nearMiss: "v: { $vgte: 2.0.0-rc.1 }"),
            ConflictPair(
                audiences: "closed ends", "v: { $vlte: 3.9 }", "v: { $vgte: 3.10 }",
                nearMiss: "v: { $vgte: 3.9.0+build.7 }"
            ),
            ConflictPair(
                audiences: "numbers, not text", "v: { $vgt: 3.10.0 }", "v: { $vlt: 3.9.0 }",
                nearMiss: "v: { $vlt: 3.11 }"),
            ConflictPair(audiences: "equal", "v: { $veq: 2.0.0 }", "v: { $veq: 2.0.1 }", nearMiss: "v: { $veq: v2 }"),
            ConflictPair(audiences: "a text outside", "v: 2.3.0", "v: { $vgt: 2.3 }", nearMiss: "v: { $vgte: 2.3 }"),
            ConflictPair(
                audiences: "a text that is not a version", "v: latest", "v: { $vgt: 1 }",
                nearMiss: "v: { "
                    + "$vne: 1 }"),
            ConflictPair(
                audiences: "instants", "t: { $before: \"2026-01-01T00:00:00Z\" }",
                "t: { $after: \"2026-01-01T00:00:00Z\" }",
                nearMiss: "t: { $after: \"2025-12-31T23:59:59.999999999Z\" }"),
            ConflictPair(
                audiences: "instants of two offsets", "t: { $before: \"2026-01-01T01:00:00+01:00\" }",
                "t: { $after: \"2026-01-01T00:00:00Z\" }", nearMiss: "t: { $after: \"2026-01-01T00:00:00+01:00\" }"),
            ConflictPair(
                audiences: "a text outside of instants", "t: \"2026-01-01T00:00:00Z\"",
                "t: { $before: \"2026-01-01T00:00:00Z\" }", nearMiss: "t: { $before: \"2026-01-01T00:00:00.1Z\" }"),
        ])
    func versionsAndInstants(pair: ConflictPair) {
        pair.check()
    }

    @Test(
        "Networks, beginnings and endings that no text has together are disjoint",
        arguments: [
            ConflictPair(
                audiences: "two networks", "ip: { $inNetwork: 10.0.0.0/8 }",
                "ip: { $inNetwork: [11.0.0.0/8, 12.0.0.1] }",
                nearMiss: "ip: { $inNetwork: [11.0.0.0/8, 10.1.0.0/16] }"),
            ConflictPair(
                audiences: "both versions", "ip: { $inNetwork: 0.0.0.0/0 }", "ip: { $inNetwork: \"::/0\" }",
                nearMiss: "ip: { $inNetwork: [\"::/0\", \"::ffff:10.0.0.0/104\"] }"),
            ConflictPair(
                audiences: "a network and its complement", "ip: 10.0.0.1", "ip: { $notInNetwork: 10.0.0.0/8 }",
                nearMiss: "ip: { $notInNetwork: 11.0.0.0/8 }"),
            ConflictPair(
                audiences: "an address outside", "ip: { $in: [10.0.0.1, nowhere] }", "ip: { $inNetwork: 10.1.0.0/16 }",
                nearMiss: "ip: { $inNetwork: 10.0.0.0/16 }"),
            ConflictPair(
                audiences: "beginnings", "x: { $startsWith: [de-, at-] }", "x: { $startsWith: [fr-, d-] }",
                nearMiss: "x: { $startsWith: [fr-, de] }"),
            ConflictPair(
                audiences: "beginnings in any case", "x: { $startsWithi: de }", "x: { $startsWith: FR }",
                nearMiss: "x: { $startsWith: DEU }"),
            ConflictPair(
                audiences: "endings", "x: { $endsWith: .org }", "x: { $endsWithi: [.com, .net] }",
                nearMiss: "x: { $endsWithi: [.com, G] }"),
            ConflictPair(
                audiences: "a text in any case", "x: Berlin", "x: { $containsi: [M, x] }",
                nearMiss: "x: { $containsi: [L, x] }"),
            ConflictPair(
                audiences: "epoch seconds", "n: { $before: { instant: 2026-01-01T00:00:00Z, epoch: seconds } }",
                "n: { $onOrAfter: { instant: 2026-01-01T00:00:00Z, epoch: seconds } }",
                nearMiss: "n: { $onOrAfter: { instant: 2025-12-31T23:59:59Z, epoch: seconds } }"),
        ])
    func networksAndEdges(pair: ConflictPair) {
        pair.check()
    }

    @Test(
        "Segments are compared by their conditions",
        arguments: [
            ConflictPair(audiences: "segments", "$segment: europe", "$segment: america", nearMiss: "$segment: germany"),
            ConflictPair(
                audiences: "a segment and its opposite", "$segment: germany", "$not: { $segment: germany }",
                nearMiss: "$not: { $segment: america }"),
            ConflictPair(
                audiences: "a segment of patterns and its opposite", "$segment: named", "$not: { $segment: named }",
                nearMiss: "$not: { $segment: germany }"),
            ConflictPair(
                audiences: "groups", "user_id: { $inGroup: staff }", "user_id: { $notInGroup: staff }",
                nearMiss: "user_id: { $inGroup: testers }"),
        ])
    func segments(pair: ConflictPair) {
        pair.check(with: [
            "segments.yaml": """
            europe: { country: { $in: [DE, FR] } }
            america: { country: { $in: [US, CA] } }
            germany: { $segment: europe, language: de }
            named: { name: { $regex: an }, age: { $gt: 5 } }
            staff: [user-1, user-2]
            testers: [user-2, user-3]
            """
        ])
    }
}
