import AllotConfiguration
import AllotCore

/// The order of checks in its simplest form: slow, and by names instead of indices.
package struct EvaluationOracle {
    let definitions: Definitions
    let instant: Instant
    /// Unit IDs and the attribute `country`, all text.
    let attributes: [String: String]
    /// What a hash with its salt gives a unit ID, or anything that a test makes up.
    let buckets: (UnitHash, String) -> BucketPair
    /// Whether the unit is in an experiment's audience; `nil` for audiences of everyone or of one country.
    let isInAudience: ((ExperimentDefinition) -> Bool)?

    package init(
        definitions: Definitions, instant: Instant, attributes: [String: String],
        buckets: @escaping (UnitHash, String) -> BucketPair = { PreparedHash($0).buckets(of: $1) },
        isInAudience: ((ExperimentDefinition) -> Bool)? = nil
    ) {
        self.definitions = definitions
        self.instant = instant
        self.attributes = attributes
        self.buckets = buckets
        self.isInAudience = isInAudience
    }

    /// The variant and the reason of an experiment.
    package func decide(_ key: String) -> (variant: String?, reason: Reason, bucket: Int?) {
        guard let experiment = definitions.experiments.first(where: { $0.key == key }) else {
            return (nil, .noUnit, nil)
        }
        if let draw = experiment.draw, unit(draw.unit) == nil { return (nil, .noUnit, nil) }
        if experiment.status == .paused { return (nil, .paused, nil) }
        if let variant = forced(experiment) { return (variant, .forced, nil) }
        if experiment.status == .draft { return (nil, .draft, nil) }
        let rivals = definitions.experiments.filter { $0.key != key && forced($0) != nil && shares($0, experiment) }
        if !rivals.isEmpty { return (nil, .displaced, nil) }
        if experiment.status == .running {
            if let starts = experiment.starts, instant < starts { return (nil, .notStarted, nil) }
            if let period = experiment.draw?.period, instant < period.from { return (nil, .notStarted, nil) }
            if let ends = experiment.ends, instant >= ends { return (nil, .ended, nil) }
        }
        for holdout in definitions.holdouts where covers(holdout, experiment) {
            if let bucket = bucket(holdout.hash, holdout.unit)?.first, bucket < holdout.share {
                return (nil, .holdout, nil)
            }
        }
        if experiment.status == .running, let layer = definitions.layers.first(where: { $0.name == experiment.layer }) {
            let slot = bucket(layer.hash, layer.unit)?.first
            if !experiment.slots.contains(where: { range in slot.map(range.contains) ?? false }) {
                return (nil, .slot, nil)
            }
        }
        for requirement in experiment.requirements {
            let held = decide(requirement.experiment).variant
            switch requirement.admitted {
            case .variants(let variants):
                guard let held, variants.contains(held) else { return (nil, .requirement, nil) }
            case .noVariant:
                guard held == nil else { return (nil, .requirement, nil) }
            }
        }
        guard isInAudience?(experiment) ?? isInCountry(experiment.audience) else { return (nil, .audience, nil) }
        if experiment.status == .concluded {
            return experiment.winner.map { ($0, .winner, nil) } ?? (nil, .concluded, nil)
        }
        guard let draw = experiment.draw, let unit = unit(draw.unit) else {
            return (experiment.variants[0].key, .everyone, nil)
        }
        let buckets = buckets(of: unit, draw)
        if draw.hash.scheme == .sha256, buckets.first >= share(of: experiment.traffic) {
            return (nil, .traffic, nil)
        }
        for variant in experiment.variants where variant.buckets.contains(where: { $0.contains(buckets.second) }) {
            return (variant.key, .split, draw.hash.resolution > 1 << 31 ? nil : buckets.second)
        }
        return (nil, .unallocated, nil)
    }

    /// The buckets of a unit, in the window of the instant where the experiment has a period.
    private func buckets(of unit: String, _ draw: UnitDraw) -> BucketPair {
        guard let period = draw.period else { return buckets(draw.hash, unit) }
        let window = (instant.seconds - period.from.seconds) / period.seconds
        let isSecond = period.isBalanced && window % 2 == 1
        let pair = buckets(draw.hash, "\(unit)@\(isSecond ? window - 1 : window)")
        return isSecond ? BucketPair(first: pair.first, second: 999_999 - pair.second) : pair
    }

    private func share(of traffic: Traffic) -> Int {
        var share = traffic.initial
        for step in traffic.steps where step.from <= instant { share = step.share }
        return share
    }

    /// The ID of a unit. A name with "|" is that of several attributes; those of ``RandomDefinitions`` need no escapes.
    private func unit(_ name: String) -> String? {
        joined(name).flatMap { $0.utf8.count <= 1024 ? $0 : nil }
    }

    /// The ID of a unit, or of a unit of several attributes also one that is too long together.
    package func joined(_ name: String) -> String? {
        let names = name.split(separator: "|").map(String.init)
        var parts: [String] = []
        for name in names {
            guard let part = attributes[name], (1...1024).contains(part.utf8.count) else { return nil }
            parts.append(names.count == 1 ? part : Self.escaped(part))
        }
        return parts.joined(separator: "|")
    }

    private static func escaped(_ part: String) -> String {
        String(
            decoding: part.utf8.flatMap { byte in
                [UInt8(ascii: "|"), UInt8(ascii: "\\")].contains(byte) ? [UInt8(ascii: "\\"), byte] : [byte]
            }, as: UTF8.self)
    }

    private func bucket(_ hash: UnitHash, _ attribute: String) -> BucketPair? {
        unit(attribute).map { buckets(hash, $0) }
    }

    private func forced(_ experiment: ExperimentDefinition) -> String? {
        guard experiment.status == .draft || experiment.status == .running,
            let unit = experiment.unit.flatMap(unit)
        else { return nil }
        return experiment.forced.first { $0.unitID.utf8.elementsEqual(unit.utf8) }?.variant
    }

    private func covers(_ holdout: HoldoutDefinition, _ experiment: ExperimentDefinition) -> Bool {
        guard experiment.draw != nil else { return false }
        guard let scope = holdout.scope else { return holdout.unit == experiment.unit }
        return scope.experiments.contains(experiment.key) || scope.layers.contains(experiment.layer ?? "")
    }

    private func shares(_ left: ExperimentDefinition, _ right: ExperimentDefinition) -> Bool {
        if let layer = left.layer, layer == right.layer { return true }
        let (first, second) = (left.variants.flatMap(\.overriddenPaths), right.variants.flatMap(\.overriddenPaths))
        return first.contains { path in second.contains { other in zip(path, other).allSatisfy { $0 == $1 } } }
    }

    /// The audiences of ``RandomDefinitions``: everyone, or one country.
    private func isInCountry(_ condition: Condition) -> Bool {
        guard case .test(let test) = condition, case .equals(.string(let country)) = test.predicate else { return true }
        return attributes["country"] == country
    }
}
