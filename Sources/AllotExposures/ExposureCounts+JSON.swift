package import AllotConfiguration

extension ExposureCounts {
    /// The counts as JSON: units by variant, by revision and variant, and those that are not counted.
    ///
    /// - Parameter buckets: the variants of the present definition and how many buckets each has; they come first, also
    ///   those that no unit has met.
    package func json(experiment: String, salt: String, buckets: [(variant: String, count: Int)] = []) -> JSONObject {
        var units = groups.filter(\.isCounted).units
        var variants = buckets.map { variant, count -> JSONValue in
            let own = units.removeValue(forKey: UTF8Key(variant)) ?? 0
            return ["buckets": .int(count), "units": .int(own), "variant": .string(variant)]
        }
        variants += Self.json(units)
        return [
            "experiment": .string(experiment), "not_counted": .array(othersByReason),
            "revisions": .array(revisions), "salt": .string(salt),
            "units_in_several_variants": .int(unitsInSeveralVariants), "variants": .array(variants),
        ]
    }

    /// The units that are not counted, of all revisions together: by variant, then reason, then those that were not set
    /// on the device first.
    private var othersByReason: [JSONValue] {
        Dictionary(grouping: groups.filter { !$0.isCounted }) {
            [UTF8Key($0.variant), UTF8Key($0.reason), UTF8Key($0.isOverridden ? "1" : "0")]
        }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        .compactMap { _, groups -> JSONValue? in
            guard let first = groups.first else { return nil }
            return [
                "override": .boolean(first.isOverridden), "reason": .string(first.reason),
                "units": .int(groups.reduce(0) { $0 + $1.units }), "variant": .string(first.variant),
            ]
        }
    }

    /// The counted units by revision, the revision that was met first before the others.
    private var revisions: [JSONValue] {
        Dictionary(grouping: groups.filter(\.isCounted)) { $0.revision.map(UTF8Key.init) }
            .compactMap { revision, groups -> (earliest: Int64, json: JSONValue)? in
                guard let earliest = groups.map(\.earliest).min(), let latest = groups.map(\.latest).max() else {
                    return nil
                }
                let json: JSONValue = [
                    "earliest": .string(Instant(milliseconds: earliest).text(.milliseconds)),
                    "latest": .string(Instant(milliseconds: latest).text(.milliseconds)),
                    "revision": .text(revision?.text), "variants": .array(Self.json(groups.units)),
                ]
                return (earliest, json)
            }
            .sorted { ($0.earliest, $0.json.canonicalText) < ($1.earliest, $1.json.canonicalText) }
            .map(\.json)
    }

    /// In the order of the variants' bytes.
    private static func json(_ units: [UTF8Key: Int]) -> [JSONValue] {
        units.sorted { $0.key < $1.key }.map { ["units": .int($0.value), "variant": .string($0.key.text)] }
    }
}
