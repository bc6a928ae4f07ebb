import AllotConfiguration

/// The names that a recording has for variants, where they differ from those of the plan.
///
/// A name stands for the variant that most of its rows have, if no other name of the experiment does. A variant's own
/// key never stands for another variant.
struct RecordedNames {
    /// Names of the recording and of the plan by targets.
    private var names: [Int: [String: String]] = [:]

    /// Words that systems record for units without a variant.
    private static let wordsForNone: Set = ["disabled", "none", "null", "nil", "undefined", "unallocated"]

    /// - Parameter key: The key that the other system's name of a variant has become.
    init(_ counts: VerificationCounts, _ targets: VerificationTargets, key: (String) -> String) {
        var rows: [Int: [String: [String: Int]]] = [:]
        for (difference, tally) in counts.differences {
            guard let target = difference.target, !difference.recorded.isEmpty else { continue }
            rows[target, default: [:]][difference.recorded, default: [:]][difference.found, default: 0] += tally.count
        }
        for (target, recorded) in rows {
            let own = targets.names(of: target)
            var found: [String: String] = [:]
            for (name, counts) in recorded where !own.contains(name) && !own.contains(key(name)) {
                if !targets.isSetting(target), Self.wordsForNone.contains(name.lowercased()) {
                    found[name] = ""
                } else if let most = counts.max(by: { $0.value < $1.value }),
                    most.value * 2 > counts.values.reduce(0, +)
                {
                    found[name] = most.key
                }
            }
            // Words for no variant may stand beside each other and beside nothing.
            let taken = Set(counts.kept.keys.filter { $0.target == target }.map(targets.name))
            let others = found.filter { !Self.wordsForNone.contains($0.key.lowercased()) }
            let uses = Dictionary(grouping: others.values) { $0 }
            for (name, variant) in others where uses[variant]?.count != 1 || taken.contains(variant) {
                found[name] = nil
            }
            names[target] = found
        }
    }

    /// Whether rows of a difference have the variant that was recorded, by another name.
    func contain(_ difference: VerificationCounts.Key) -> Bool {
        difference.target.flatMap { names[$0]?[difference.recorded] } == difference.found
    }
}
