package import AllotConfiguration

extension ExposureCounts {
    /// The counts as JSON: units by variant, by revision and variant, and those that are not counted.
    ///
    /// - Parameter buckets: the variants of the present definition and how many buckets each has; they come first, also
    ///   those that no unit has met.
    package func json(
        experiment: String, salt: String, buckets: [(variant: String, count: Int)] = []
    ) -> JSONObject {
        var counts = UnitCounts(groups.filter(\.isCounted))
        var variants = buckets.map { variant, count -> JSONValue in
            [
                "buckets": .number(JSONNumber(count)), "units": .number(JSONNumber(counts.take(variant))),
                "variant": .string(variant),
            ]
        }
        variants += counts.json
        return [
            "experiment": .string(experiment), "not_counted": .array(othersByReason),
            "revisions": .array(revisions), "salt": .string(salt),
            "units_in_several_variants": .number(JSONNumber(unitsInSeveralVariants)), "variants": .array(variants),
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
                "units": .number(JSONNumber(groups.reduce(0) { $0 + $1.units })), "variant": .string(first.variant),
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
                    "revision": revision.map { .string($0.text) } ?? .null,
                    "variants": .array(UnitCounts(groups).json),
                ]
                return (earliest, json)
            }
            .sorted { ($0.earliest, $0.json.canonicalText) < ($1.earliest, $1.json.canonicalText) }
            .map(\.json)
    }
}

/// Units added up by variant.
private struct UnitCounts {
    private var units: [UTF8Key: Int] = [:]

    init(_ groups: [ExposureCounts.Group]) {
        for group in groups { units[UTF8Key(group.variant), default: 0] += group.units }
    }

    /// Removes a variant. Returns its units.
    mutating func take(_ variant: String) -> Int {
        units.removeValue(forKey: UTF8Key(variant)) ?? 0
    }

    /// In the order of the variants' bytes.
    var json: [JSONValue] {
        units.sorted { $0.key < $1.key }.map {
            ["units": .number(JSONNumber($0.value)), "variant": .string($0.key.text)]
        }
    }
}
