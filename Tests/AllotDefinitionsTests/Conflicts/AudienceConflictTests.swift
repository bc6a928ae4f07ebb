import AllotDefinitions
import Testing

struct AudienceConflictTests {
    @Test(
        "Audiences that no value satisfies together are disjoint",
        arguments: ConflictPair.audiences(
            """
            two values | country: DE | country: FR | country: DE
            $eq | country: { $eq: DE } | country: FR | city: Paris
            two sets | country: { $in: [DE, FR] } | country: { $in: [US, GB] } | country: { $in: [US, FR] }
            a set and a value | country: { $in: [DE, FR] } | country: US | country: FR
            a set within the same larger set | $and: [{ x: { $in: [A, B] } }, { x: { $in: [A, C] } }]
            | $and: [{ x: { $in: [A, B] } }, { x: { $in: [B, C] } }]
            | $and: [{ x: { $in: [A, B] } }, { x: { $in: [A, B, C] } }]
            an empty set | x: DE | x: { $in: [] } | x: { $nin: [] }
            two numbers | n: 5 | n: 6 | n: 5.0
            booleans | pro: true | pro: false | pro: { $ne: false }
            values of two types | x: 5 | x: DE | x: { $in: [DE, 5] }
            a text and a type | x: DE | x: { $type: number } | x: { $type: string }
            a number and a type | x: 5 | x: { $type: boolean } | x: { $type: number }
            a boolean and not its type | x: true | x: { $not: { $type: boolean } } | x: { $not: { $type: string } }
            null and a value | x: null | x: DE | x: { $in: [DE, null] }
            missing and present | x: { $exists: false } | x: { $exists: true } | x: { $ne: DE }
            missing and compared | x: { $exists: false } | x: { $gt: 0 } | x: { $ne: 5 }
            a set and its complement | country: { $in: [DE, FR] } | country: { $nin: [DE, FR, US] }
            | country: { $nin: [DE] }
            a value and $ne | x: DE | x: { $ne: DE } | x: { $ne: FR }
            $not below a name | x: DE | x: { $not: { $eq: DE } } | x: { $not: FR }
            $not | x: DE | $not: { x: DE } | $not: { x: DE, y: 1 }
            $nor | x: DE | $nor: [{ y: 1 }, { x: DE }] | $nor: [{ y: 1 }]
            $and | x: DE | $and: [{ y: 1 }, { x: FR }] | $and: [{ y: 1 }]
            $or | $or: [{ x: DE }, { x: FR }] | x: { $in: [US, GB] } | x: { $in: [US, FR] }
            $or on both sides | $or: [{ x: DE, y: 1 }, { y: 2 }] | $or: [{ y: 3 }, { x: US, y: 1 }]
            | $or: [{ y: 3 }, { x: US }]
            an empty $nor | x: DE | $nor: [] | $or: []
            one of several attributes | a: 1, b: 2, c: 3 | b: 2, c: 4, d: 5 | b: 2, c: 3, d: 5
            a name with dots | device.os: ios | device.os: android | device: android
            text that a pattern refuses | x: Berlin | x: { $regex: ^M } | x: { $regex: ^B }
            text that begins otherwise | x: Berlin | x: { $startsWith: M } | x: { $startsWith: Ber }
            text that ends otherwise | x: Berlin | x: { $endsWith: M } | x: { $endsWith: lin }
            text without a part | x: Berlin | x: { $contains: M } | x: { $contains: erl }
            a part of a part | x: { $contains: [abc, abd] } | x: { $not: { $contains: b } }
            | x: { $not: { $contains: c } }
            a part of a beginning | x: { $startsWith: de-AT } | x: { $not: { $containsi: E-a } }
            | x: { $not: { $contains: e-a } }
            a part of an ending in any case | x: { $endsWithi: .at } | x: { $not: { $containsi: AT } }
            | x: { $not: { $contains: at } }
            parts in any case | x: { $ini: [Berlin, Bern] } | x: { $containsi: M } | x: { $containsi: L }
            a beginning in any case | x: { $ini: [Berlin, Bern] } | x: { $startsWithi: D } | x: { $endsWithi: IN }
            a value is not a list | x: a | x: { $all: [a] } | x: { $in: [a] }
            a set of text, not a list | x: { $in: [a], $type: string } | x: { $in: [b], $not: { $size: 1 } }
            | x: { $in: [a, b], $not: { $size: 1 } }
            elements that a list must not have | x: { $in: [a], $size: 1 } | x: { $nin: [a, b] } | x: { $nin: [b] }
            patterns | x: { $regex: de } | x: { $not: { $regex: de } } | x: { $not: { $regex: fr } }
            beginnings | x: { $startsWith: "5" } | $nor: [{ x: { $startsWith: "5" } }]
            | $nor: [{ x: { $startsWith: "6" } }]
            a number | x: { $gt: 5 } | x: { $not: { $gt: 5.0 } } | x: { $not: { $gt: 6 } }
            in any case | x: { $ini: [a, b] } | x: { $nini: [b, a] } | x: { $nini: [a] }
            a version | x: { $veq: 1.2.3 } | x: { $vne: 1.2.3 } | x: { $vne: 1.2.4 }
            versions | x: { $vgte: 1.2.3 } | $nor: [{ x: { $vgte: 1.2.3 } }] | $nor: [{ x: { $vgte: 1.2.4 } }]
            networks | x: { $inNetwork: [10.0.0.0/8, 11.0.0.0/8] } | x: { $notInNetwork: [11.0.0.0/8, 10.0.0.0/8] }
            | x: { $notInNetwork: 10.0.0.0/8 }
            lists | x: { $all: [a] } | $nor: [{ x: { $all: [a] } }] | $nor: [{ x: { $all: [b] } }]
            sets of list elements | x: { $in: [a], $size: 2 } | x: { $nin: [a] } | x: { $nin: [b] }
            another negation excludes it | x: { $regex: a }, y: { $in: [1] }
            | $or: [{ x: { $regex: a, $not: { $regex: a } } }, { y: { $in: [2] } }]
            | $or: [{ x: { $regex: a, $not: { $regex: b } } }, { y: { $in: [2] } }]
            below and from | n: { $lt: 5 } | n: { $gte: 5 } | n: { $gte: 4.999 }
            above and up to | n: { $gt: 5 } | n: { $lte: 5 } | n: { $lte: 5.001 }
            closed ends | n: { $lte: 5 } | n: { $gte: 5.5 } | n: { $gte: 5 }
            open ends | n: { $lt: 5 } | n: { $gt: 5 } | n: { $gt: 4 }
            a number outside | n: 5 | n: { $gt: 5 } | n: { $gte: 5 }
            numbers outside | n: { $in: [1, 2, 9] } | n: { $gt: 2, $lt: 9 } | n: { $gte: 2, $lt: 9 }
            text of a number outside | n: "5" | n: { $gt: 5 } | n: { $gte: 5 }
            text that is not a number | n: five | n: { $gt: 5 } | n: { $gt: "5" }
            a boolean is not a number | n: true | n: { $gt: 0 } | n: { $exists: true }
            the narrowest counts | n: { $lt: 9, $lte: 3 } | n: { $gt: 3 } | n: { $gt: 2 }
            text in order | n: { $lt: M } | n: { $gte: M } | n: { $gte: L }
            bytes, not letters | n: { $lt: a } | n: { $gte: ä } | n: { $gte: Z }
            a text outside | n: Z | n: { $gt: a } | n: { $lt: a }
            below and from | v: { $vlt: 2.0.0 } | v: { $vgte: v2 } | v: { $vgte: 2.0.0-rc.1 }
            closed ends | v: { $vlte: 3.9 } | v: { $vgte: 3.10 } | v: { $vgte: 3.9.0+build.7 }
            numbers, not text | v: { $vgt: 3.10.0 } | v: { $vlt: 3.9.0 } | v: { $vlt: 3.11 }
            equal | v: { $veq: 2.0.0 } | v: { $veq: 2.0.1 } | v: { $veq: v2 }
            a text outside | v: 2.3.0 | v: { $vgt: 2.3 } | v: { $vgte: 2.3 }
            a text that is not a version | v: latest | v: { $vgt: 1 } | v: { $vne: 1 }
            instants | t: { $before: "2026-01-01T00:00:00Z" } | t: { $after: "2026-01-01T00:00:00Z" }
            | t: { $after: "2025-12-31T23:59:59.999999999Z" }
            instants of two offsets | t: { $before: "2026-01-01T01:00:00+01:00" }
            | t: { $after: "2026-01-01T00:00:00Z" } | t: { $after: "2026-01-01T00:00:00+01:00" }
            a text outside of instants | t: "2026-01-01T00:00:00Z" | t: { $before: "2026-01-01T00:00:00Z" }
            | t: { $before: "2026-01-01T00:00:00.1Z" }
            two networks | ip: { $inNetwork: 10.0.0.0/8 } | ip: { $inNetwork: [11.0.0.0/8, 12.0.0.1] }
            | ip: { $inNetwork: [11.0.0.0/8, 10.1.0.0/16] }
            both versions | ip: { $inNetwork: 0.0.0.0/0 } | ip: { $inNetwork: "::/0" }
            | ip: { $inNetwork: ["::/0", "::ffff:10.0.0.0/104"] }
            a network and its complement | ip: 10.0.0.1 | ip: { $notInNetwork: 10.0.0.0/8 }
            | ip: { $notInNetwork: 11.0.0.0/8 }
            an address is not a number | ip: { $lte: 5 } | ip: { $inNetwork: "::/0" } | ip: { $notInNetwork: "::/0" }
            an address outside | ip: { $in: [10.0.0.1, nowhere] } | ip: { $inNetwork: 10.1.0.0/16 }
            | ip: { $inNetwork: 10.0.0.0/16 }
            beginnings | x: { $startsWith: [de-, at-] } | x: { $startsWith: [fr-, d-] } | x: { $startsWith: [fr-, de] }
            beginnings in any case | x: { $startsWithi: de } | x: { $startsWith: FR } | x: { $startsWith: DEU }
            endings | x: { $endsWith: .org } | x: { $endsWithi: [.com, .net] } | x: { $endsWithi: [.com, G] }
            a text in any case | x: Berlin | x: { $containsi: [M, x] } | x: { $containsi: [L, x] }
            epoch seconds | n: { $before: { instant: 2026-01-01T00:00:00Z, epoch: seconds } }
            | n: { $onOrAfter: { instant: 2026-01-01T00:00:00Z, epoch: seconds } }
            | n: { $onOrAfter: { instant: 2025-12-31T23:59:59Z, epoch: seconds } }
            """))
    func disjointAudiences(pair: ConflictPair) {
        pair.check()
    }

    @Test("A conflict names the attributes of a unit that could be in both")
    func example() throws {
        let files =
            Files.base + [
                "a.yaml": experiment("audience: { country: { $in: [DE, FR] }, age: { $gt: 17 } }"),
                "b.yaml": experiment("audience: { country: { $nin: [DE] } }"),
            ]
        let conflict = try #require(ConflictPair.conflicts(in: files).first)
        #expect(conflict.message.contains("and one unit (with age 18, country \"FR\") could be in both; "))
    }

    @Test(
        "Segments are compared by their conditions",
        arguments: ConflictPair.audiences(
            """
            segments | $segment: europe | $segment: america | $segment: germany
            a segment and its opposite | $segment: germany | $not: { $segment: germany } | $not: { $segment: america }
            a segment of patterns and its opposite | $segment: named | $not: { $segment: named }
            | $not: { $segment: germany }
            groups | user_id: { $inGroup: staff } | user_id: { $notInGroup: staff } | user_id: { $inGroup: testers }
            """))
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
