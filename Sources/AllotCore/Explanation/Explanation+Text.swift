import AllotConfiguration

extension Explanation: CustomStringConvertible {
    /// The explanation in plain words, a paragraph for each experiment: first the sentence, then the numbers.
    public var text: String {
        experiments.map(\.text).joined(separator: "\n")
    }

    /// The ``text``.
    public var description: String { text }
}

extension Explanation.Experiment: CustomStringConvertible {
    /// The outcome as a sentence that needs no knowledge of the engine.
    public var sentence: String {
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

    /// Under which condition this is the decision, where it rests on attributes that were not given: ` if it has no
    /// country`. A missing unit ID is its own cause.
    private var condition: String {
        assignment.reason == .noUnit ? "" : absence.map { " if it has \($0)" } ?? ""
    }

    /// The attributes that the decision rests on, as what the unit has: `no country`, `none of country, orders`.
    /// Returns `nil` if there are none.
    package var absence: String? {
        let names = dependsOn.map { PrintableText($0).description }
        guard let first = names.first else { return nil }
        return names.count == 1 ? "no \(first)" : "none of \(names.listed(atMost: Self.mostNames))"
    }

    /// The attributes that the decision rests on. Returns `nil` if there are none.
    package var dependencies: String? {
        dependsOn.isEmpty
            ? nil : dependsOn.map { PrintableText($0).description }.listed(atMost: Self.mostNames)
    }

    /// The most attributes that are named.
    private static let mostNames = 8

    /// What decided a split, with the name of another system's hash.
    private var bucketName: String {
        guard case .split(let hash, _, _, _) = steps.last, hash.foreign != nil else { return "second bucket" }
        return "\(hash.scheme.rawValue) bucket"
    }

    /// Why there is no variant: a clause for each check.
    private var cause: String {
        switch assignment.reason.check {
        case .unit: unitCause
        case .paused: "the experiment is paused"
        case .forced: "it is forced"
        case .draft: "the experiment is still a draft"
        case .displacement: displacementCause
        case .schedule: scheduleCause
        case .holdout: holdoutCause
        case .slot: slotCause
        case .requirement: requirementCause
        case .audience: audienceCause
        case .conclusion: "the experiment is over and nobody won"
        case .traffic: trafficCause
        case .split: "no variant owns its bucket"
        }
    }

    private var unitCause: String {
        guard case .unit(let name, let given, _) = steps.last else { return assignment.reason.text }
        let attribute = PrintableText(name)
        guard let given else { return "\(attribute) is missing, so there is no unit to assign" }
        if given.isEmpty { return "\(attribute) is empty, so there is no unit to assign" }
        if given.utf8.count > UnitID.maximumLength {
            return "\(attribute) has \(given.utf8.count) bytes, and a unit ID at most \(UnitID.maximumLength)"
        }
        return "\(attribute) is \(PrintableText(given)), and a unit ID is text, or a whole number below 2^53 without "
            + "fraction and exponent"
    }

    private var displacementCause: String {
        guard case .displaced(let rival) = steps.last else { return assignment.reason.text }
        return "it is a tester of \(rival), which changes the same settings or shares the layer"
    }

    private var scheduleCause: String {
        switch (assignment.reason, steps.last) {
        case (.notStarted, .schedule(let starts?, _, _)): "the experiment starts at \(starts.writtenText)"
        case (.ended, .schedule(_, let ends?, _)): "the experiment ended at \(ends.writtenText)"
        default: assignment.reason.text
        }
    }

    private var holdoutCause: String {
        guard case .holdout(let name, let hash, _, _, let share, _) = steps.last else { return assignment.reason.text }
        return "it is one of the \(hash.scale.percentage(of: share)) that the holdout \(name) keeps untouched"
    }

    private var slotCause: String {
        guard case .slot(let layer, _, let unit, let bucket, _, _) = steps.last else { return assignment.reason.text }
        return bucket == nil
            ? "the layer \(layer) splits by \(PrintableText(unit)), which is missing"
            : "its slot of the layer \(layer) belongs to others"
    }

    private var requirementCause: String {
        guard case .requirement(let other, let wanted, let assigned, _) = steps.last else {
            return assignment.reason.text
        }
        guard !wanted.isEmpty else {
            return "it takes only units without a variant of \(other), and this unit has \(assigned ?? "none")"
        }
        return "it requires \(wanted.joined(separator: " or ")) of \(other), and this unit has \(assigned ?? "none")"
    }

    private var audienceCause: String {
        guard case .audience(_, let tests) = steps.last else { return assignment.reason.text }
        let failed = tests.filter { $0.holds == false }
        // Below "any of" and "not" a test that fails need not be the cause.
        let isConjunction = tests.allSatisfy { $0.holds != nil || ($0.text != "any of" && $0.text != "not") }
        guard isConjunction, failed.count == 1, let test = failed.first, let attribute = test.attribute else {
            return "it is not in the audience"
        }
        let required = "\(PrintableText(attribute)) \(test.text)"
        return "it is not in the audience, which requires that \(required); it is \(test.shown)"
    }

    private var trafficCause: String {
        guard case .traffic(_, let bucket, let traffic, let now, _) = steps.last else { return assignment.reason.text }
        let share = Percentage.text(ofBuckets: traffic.share(at: now))
        let cause = "only \(share) are enrolled, and it is not among them"
        guard let step = traffic.step(after: now, enrolling: bucket) else { return cause }
        return cause + "; from \(step.from.shortText) on it is"
    }

    /// The sentence, followed by one line for each step.
    public var text: String {
        let notes = [
            dependencies.map { Explanation.Step.line("depends on", "\($0) (not given)") },
            owner.map { Explanation.Step.line("owner", "\(PrintableText($0))") },
            Explanation.Step.line("revision", assignment.revision),
        ]
        let facts = steps.flatMap(\.lines) + notes.compactMap(\.self)
        return ([sentence] + facts.map { "    " + $0 }).joined(separator: "\n") + "\n"
    }

    /// The ``text``.
    public var description: String { text }
}

extension Explanation.Step {
    /// The step in one line, an audience with a line for each test.
    fileprivate var lines: [String] {
        switch self {
        case .unit(let attribute, let given, let isValid):
            let shown =
                given.map { $0.utf8.count > 100 ? "\($0.utf8.count) bytes" : PrintableText($0).description }
                ?? "missing"
            return [Self.line("unit", "\(PrintableText(attribute)) is \(shown)" + (isValid ? "" : ": not a unit ID"))]
        case .status(let status): return [Self.line("status", status.rawValue)]
        case .forced(let variant): return [Self.line("forced", "the definition gives this unit \(variant)")]
        case .displaced(let by): return [Self.line("displaced", "the unit is forced in \(by)")]
        case .schedule(let starts, let ends, let now):
            let from = starts.map { "from \($0.writtenText) " } ?? ""
            let until = ends.map { "until before \($0.writtenText) " } ?? ""
            return [Self.line("schedule", "\(from)\(until)(now \(now))")]
        case .holdout(let name, let hash, let unit, let bucket, let share, let isHeldOut):
            let shown = Self.bucket(bucket, hash, unit: unit)
            let limit = "held out below \(share) (\(hash.scale.percentage(of: share)))"
            return [Self.line("holdout", "\(name): \(shown); \(limit): \(isHeldOut ? "held out" : "free")")]
        case .slot(let layer, let hash, let unit, let bucket, let slots, let isInside):
            let shown = Self.bucket(bucket, hash, unit: unit)
            return [
                Self.line("slot", "\(layer): \(shown); slots \(Self.ranges(slots)): \(isInside ? "inside" : "outside")")
            ]
        case .requirement(let experiment, let wanted, let assigned, let isMet):
            let given = "assigned \(assigned ?? "none"): \(isMet ? "met" : "not met")"
            let admitted = wanted.isEmpty ? "no variant" : wanted.joined(separator: " or ")
            return [Self.line("requires", "\(admitted) of \(experiment); \(given)")]
        case .audience(nil, _): return [Self.line("audience", "everyone")]
        case .audience(let matches?, let tests):
            return [Self.line("audience", matches ? "matches" : "does not match")] + tests.map(\.line)
        case .traffic(let salt, let bucket, let traffic, let now, let isBelow):
            let limit = "\(traffic.share(at: now)) (\(traffic.text(at: now)))"
            return [
                Self.line("traffic", "first bucket \(bucket) of salt \(salt) is \(isBelow ? "" : "not ")below \(limit)")
            ]
        case .split(let hash, let bucket, let owner, let variants):
            let owners = variants.map { variant in
                let share = hash.scale.percentage(of: variant.buckets.reduce(0) { $0 + $1.count })
                return "\(variant.key) \(Self.ranges(variant.buckets)) (\(share))"
            }
            return [
                Self.line("split", "\(Self.bucket(bucket, hash, "second")) belongs to \(owner ?? "no variant")"),
                Self.line("", owners.joined(separator: ", ")),
            ]
        }
    }

    fileprivate static func line(_ name: String, _ text: String) -> String {
        name + String(repeating: " ", count: max(1, 12 - name.utf8.count)) + text
    }

    private static func bucket(_ bucket: Int?, _ hash: UnitHash, unit: String) -> String {
        bucket.map { self.bucket($0, hash, "first") } ?? "\(PrintableText(unit)) is missing, so there is no bucket"
    }

    /// A bucket, of another system's hash with what is needed to compute it elsewhere.
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
        let indent = String(repeating: "  ", count: depth + 6)
        guard let attribute, let holds else { return "\(indent)\(text):" }
        return "\(indent)\(holds ? "yes" : "no ") \(PrintableText(attribute)) \(text) (\(shown))"
    }
}
