import AllotConfiguration

extension Explanation: CustomStringConvertible {
    /// The explanation in plain words, a paragraph for each experiment: first the sentence, then the numbers.
    public var text: String { experiments.map(\.text).joined(separator: "\n") }
    /// The ``text``.
    public var description: String { text }
}

extension Explanation.Experiment: CustomStringConvertible {
    package var sentence: String {
        let unit = unitID.map { PrintableText($0).description } ?? "This subject"
        let key = assignment.experiment
        guard let variant = assignment.variant else {
            return "\(unit) gets no variant of \(key)\(condition): \(cause)."
        }
        let outcome = "\(unit) gets \(variant) in \(key)\(condition)"
        switch assignment.reason {
        case .forced: return "\(outcome), because the definition forces it (a tester, not randomised)."
        case .winner: return "\(outcome), because the experiment is over and \(variant) won."
        case .everyone: return "\(outcome), because everyone in its audience gets it."
        default: return "\(outcome), because its \(bucketName) belongs to \(variant)."
        }
    }

    /// The condition of the decision, where it rests on attributes that were not given: ` if it has no country`. A
    /// missing unit ID is its own cause.
    private var condition: String { assignment.reason == .noUnit ? "" : absence.map { " if it has \($0)" } ?? "" }

    /// The attributes that the decision depends on, as words after "has": `no country`, `none of country, orders`.
    /// Returns `nil` if there are none.
    package var absence: String? {
        let names = dependsOn.map { PrintableText($0).description }
        guard let first = names.first else { return nil }
        return names.count == 1 ? "no \(first)" : "none of \(names.listed(atMost: Self.mostNames))"
    }

    /// The attributes that the decision depends on, as a list. Returns `nil` if there are none.
    package var dependencies: String? {
        dependsOn.isEmpty ? nil : dependsOn.map { PrintableText($0).description }.listed(atMost: Self.mostNames)
    }

    private static let mostNames = 8

    private var bucketName: String {
        guard case .split(let hash, _, _, _) = steps.last, hash.foreign != nil else { return "second bucket" }
        return "\(hash.scheme.rawValue) bucket"
    }

    /// The clause that says why there is no variant.
    private var cause: String {
        switch (assignment.reason, steps.last) {
        case (.noUnit, .unit(let name, let given, _)): Self.cause(ofUnit: "\(PrintableText(name))", given)
        case (.paused, _): "the experiment is paused"
        case (.draft, _): "the experiment is still a draft"
        case (.displaced, .displaced(let rival)):
            "the unit is a tester of \(rival), which changes the same settings or shares the layer"
        case (.notStarted, .schedule(let starts?, _, _)): "the experiment starts at \(starts.writtenText)"
        case (.ended, .schedule(_, let ends?, _)): "the experiment ended at \(ends.writtenText)"
        case (.holdout, .holdout(let name, let hash, _, _, let share, _)):
            "the unit is one of the \(hash.scale.percentage(of: share)) that the holdout \(name) keeps untouched"
        case (.slot, .slot(let layer, _, let unit, nil, _, _)):
            "the layer \(layer) splits by \(PrintableText(unit)), which is missing"
        case (.slot, .slot(let layer, _, _, _, _, _)): "the unit's slot of the layer \(layer) belongs to others"
        case (.requirement, .requirement(let other, let wanted, let assigned, _)):
            "the experiment "
                + (wanted.isEmpty ? "takes only units without a variant" : "requires \(Self.alternatives(wanted))")
                + " of \(other), and this unit has \(assigned ?? "none")"
        case (.audience, .audience(_, let tests)): Self.cause(ofAudience: tests)
        case (.concluded, _): "the experiment is over without a winner"
        case (.traffic, .traffic(_, let bucket, let traffic, let now, _)):
            "only \(Percentage.text(ofBuckets: traffic.share(at: now))) are enrolled, and it is not among them"
                + (traffic.step(after: now, enrolling: bucket).map { "; from \($0.from.shortText) on it is" } ?? "")
        case (.unallocated, _): "no variant owns its bucket"
        default: assignment.reason.text
        }
    }

    fileprivate static func alternatives(_ variants: [String]) -> String { variants.joined(separator: " or ") }

    private static func cause(ofUnit attribute: String, _ given: String?) -> String {
        guard let given else { return "\(attribute) is missing, so there is no unit to assign" }
        if given.isEmpty { return "\(attribute) is empty, so there is no unit to assign" }
        if given.utf8.count > UnitID.maximumLength {
            return "\(attribute) has \(given.utf8.count) bytes, and a unit ID at most \(UnitID.maximumLength)"
        }
        return "\(attribute) is \(PrintableText(given)), and a unit ID is text, or a whole number below 2^53 without "
            + "fraction and exponent"
    }

    private static func cause(ofAudience tests: [Explanation.Test]) -> String {
        let failed = tests.filter { $0.holds == false }
        // Below "any of" and "not" a test that fails need not be the cause.
        let isConjunction = tests.allSatisfy { $0.holds != nil || ($0.text != "any of" && $0.text != "not") }
        guard isConjunction, failed.count == 1, let test = failed.first, let attribute = test.attribute else {
            return "the unit is not in the audience"
        }
        let required = "\(PrintableText(attribute)) \(test.text)"
        return "the unit is not in the audience, which requires that \(required); it is \(test.shown)"
    }

    /// The sentence, followed by one line for each step.
    public var text: String {
        var facts = steps.flatMap(\.facts)
        if let dependencies { facts.append(("depends on", "\(dependencies) (not given)")) }
        if let owner { facts.append(("owner", "\(PrintableText(owner))")) }
        facts.append(("revision", assignment.revision))
        let lines = facts.map { "    \($0.name.rightPadded(to: 12))\($0.text)\n" }
        return "\(sentence)\n\(lines.joined())"
    }

    /// The ``text``.
    public var description: String { text }
}

extension Explanation.Step {
    /// The lines of the step, each with a name before it: for an audience one for each test.
    fileprivate var facts: [(name: String, text: String)] {
        switch self {
        case .unit(let attribute, let given, let isValid):
            let shown = given.map { $0.utf8.count > 100 ? "\($0.utf8.count) bytes" : PrintableText($0).description }
            let fault = isValid ? "" : ": not a unit ID"
            return [("unit", "\(PrintableText(attribute)) is \(shown ?? "missing")\(fault)")]
        case .status(let status): return [("status", status.rawValue)]
        case .forced(let variant): return [("forced", "the definition gives this unit \(variant)")]
        case .displaced(let by): return [("displaced", "the unit is forced in \(by)")]
        case .schedule(let starts, let ends, let now):
            let from = starts.map { "from \($0.writtenText) " } ?? ""
            let until = ends.map { "until before \($0.writtenText) " } ?? ""
            return [("schedule", "\(from)\(until)(now \(now))")]
        case .holdout(let name, let hash, let unit, let bucket, let share, let isHeldOut):
            let shown = Self.bucket(bucket, hash, unit: unit)
            let limit = "held out below \(share) (\(hash.scale.percentage(of: share)))"
            return [("holdout", "\(name): \(shown); \(limit): \(isHeldOut ? "held out" : "free")")]
        case .slot(let layer, let hash, let unit, let bucket, let slots, let isInside):
            let shown = Self.bucket(bucket, hash, unit: unit)
            return [("slot", "\(layer): \(shown); slots \(Self.ranges(slots)): \(isInside ? "inside" : "outside")")]
        case .requirement(let experiment, let wanted, let assigned, let isMet):
            let admitted = wanted.isEmpty ? "no variant" : Explanation.Experiment.alternatives(wanted)
            let given = "assigned \(assigned ?? "none"): \(isMet ? "met" : "not met")"
            return [("requires", "\(admitted) of \(experiment); \(given)")]
        case .audience(nil, _): return [("audience", "everyone")]
        case .audience(let matches?, let tests):
            return [(name: "audience", text: matches ? "matches" : "does not match")]
                + tests.map { (name: "", text: $0.line) }
        case .window(let window, let input, let isMirrored):
            let until = window.until.map { " until before \($0.shortText)" } ?? ""
            let mirror = isMirrored ? "; the second bucket is 999999 minus what this gives" : ""
            return [
                ("window", "\(window.number), from \(window.since.shortText)\(until)"),
                ("", "hashes \(PrintableText(input))\(mirror)"),
            ]
        case .traffic(let salt, let bucket, let traffic, let now, let isBelow):
            let limit = "\(traffic.share(at: now)) (\(traffic.text(at: now)))"
            return [("traffic", "first bucket \(bucket) of salt \(salt) is \(isBelow ? "" : "not ")below \(limit)")]
        case .split(let hash, let bucket, let owner, let variants):
            let owners = variants.map { variant in
                let share = hash.scale.percentage(of: variant.buckets.reduce(0) { $0 + $1.count })
                return "\(variant.key) \(Self.ranges(variant.buckets)) (\(share))"
            }
            return [
                ("split", "\(Self.bucket(bucket, hash, "second")) belongs to \(owner ?? "no variant")"),
                ("", owners.joined(separator: ", ")),
            ]
        }
    }

    private static func bucket(_ bucket: Int?, _ hash: UnitHash, unit: String) -> String {
        bucket.map { self.bucket($0, hash, "first") } ?? "\(PrintableText(unit)) is missing, so there is no bucket"
    }

    /// A bucket; for another system's hash with the values that are needed to compute it elsewhere.
    private static func bucket(_ bucket: Int, _ hash: UnitHash, _ half: String) -> String {
        guard let foreign = hash.foreign else { return "\(half) bucket \(bucket) of salt \(hash.salt)" }
        return "\(foreign.scheme.rawValue) bucket \(bucket) of \(foreign.resolution) with salt "
            + PrintableText(foreign.salt).description
    }

    private static func ranges(_ ranges: [Range<Int>]) -> String {
        ranges.isEmpty ? "none" : ranges.map { "\($0.lowerBound)..<\($0.upperBound)" }.joined(separator: ", ")
    }
}

extension Explanation.Test {
    /// The value that was seen, short and on one line.
    fileprivate var shown: String {
        guard let seen else { return "missing" }
        let value = PrintableText(seen, atMost: 100).description
        return mismatch.map { "\(value), \($0)" } ?? value
    }

    fileprivate var line: String {
        let indent = String(repeating: "  ", count: depth)
        guard let attribute, let holds else { return "\(indent)\(text):" }
        return "\(indent)\(holds ? "yes" : "no ") \(PrintableText(attribute)) \(text) (\(shown))"
    }
}
