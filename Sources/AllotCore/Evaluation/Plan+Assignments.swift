import AllotConfiguration

extension Plan {
    /// The decision of every experiment for a subject, in key order, whether it assigns a variant or not.
    ///
    /// Time is an argument: the same plan, subject and instant give the same answer anywhere.
    public func assignments(for subject: Subject, at instant: Instant) -> [Assignment] {
        var evaluator = Evaluator(plan: self, at: instant)
        evaluator.evaluate(PreparedSubject(subject, for: self))
        return evaluator.decisions.indices.map { assignment($0, evaluator.decisions[$0], at: instant) }
    }

    /// The configuration of a subject: the base with the overrides of every variant that it is assigned, and in `meta`
    /// what was decided.
    public func configuration(for subject: Subject, at instant: Instant) -> ConfigurationDocument {
        let decided = decide(subject, at: instant)
        return configuration(decided.decisions, holdouts: decided.holdouts, at: instant)
    }

    func assignment(_ index: Int, _ decision: Decision, at instant: Instant) -> Assignment {
        let experiment = experiments[index]
        return Assignment(
            experiment: experiment.key, variant: decision.variant.map { experiment.variants[$0].key },
            reason: decision.reason, bucket: decision.bucket, revision: experiment.revision,
            window: window(of: index, decision, at: instant))
    }

    private func configuration(
        _ decisions: [Decision], holdouts heldOut: [Int], at instant: Instant
    ) -> ConfigurationDocument {
        var sections: JSONValue = .object(base.sections)
        var assigned = JSONObject()
        for (number, decision) in decisions.enumerated() {
            guard let index = decision.variant else { continue }
            let experiment = experiments[number]
            let variant = experiment.variants[index]
            sections = sections.merging(.object(variant.overrides))
            var entry = experiment.assignmentMembers(variant, comparing: experiment.comparedSettings)
            entry[AssignmentKey.reason] = .string(decision.reason.text)
            if let bucket = decision.bucket { entry[AssignmentKey.bucket] = .number(JSONNumber(bucket)) }
            if let window = window(of: number, decision, at: instant) {
                entry[AssignmentKey.since] = .string(window.since.description)
                entry[AssignmentKey.window] = .number(JSONNumber(Int(window.number)))
            }
            assigned[experiment.key] = .object(entry)
        }
        var meta = base.meta
        meta[MetaKey.assignments] = .object(assigned)
        if !heldOut.isEmpty { meta[MetaKey.holdouts] = .array(heldOut.map { .string(holdouts[$0].name) }) }
        guard case .object(let merged) = sections else { return base }
        return ConfigurationDocument(sections: merged, meta: meta)
    }
}

extension Plan.Experiment {
    /// The members of an assignment in `meta` that are the same for every unit: all but `bucket` and `reason`, and
    /// `since` and `window` of a period. `unit` is there if it is not the user's ID, and is `none` without a draw;
    /// `salt` if it is not the key; `settings_compared`, which expose a unit in a control as well, if they are more
    /// than this variant's. The template of configurations relies on all of these sorting after `reason`.
    func assignmentMembers(_ variant: Plan.Variant, comparing compared: [String]) -> JSONObject {
        var members: JSONObject = [
            AssignmentKey.revision: .string(revision),
            AssignmentKey.settings: .array(variant.settings.map(JSONValue.string)),
            AssignmentKey.variant: .string(variant.key),
        ]
        if compared.count > variant.settings.count {
            members[AssignmentKey.comparedSettings] = .array(compared.map(JSONValue.string))
        }
        if let salt, !UTF8Order.areEqual(salt, key) { members[AssignmentKey.salt] = .string(salt) }
        let unit = draw?.unit ?? UnitContract.noUnit
        if unit != Subject.defaultUnit { members[AssignmentKey.unit] = .string(unit) }
        return members
    }

    var comparedSettings: [String] {
        let lists = variants.map(\.settings).filter { !$0.isEmpty }
        return lists.count == 1 ? lists[0] : Set(lists.joined().map(UTF8Key.init)).sorted().map(\.text)
    }
}
