import AllotConfiguration

/// The names that a recording has for variants, where they differ from those of the plan.
///
/// A name stands for the variant that nearly all of its rows have, if no other name does. There have to be several
/// rows of it, and another variant with a name of its own: otherwise nothing shows that the name does not stand for
/// any variant. A text that says itself what a unit has, such as a variant's key, never stands for anything else.
struct RecordedNames {
    /// Names of the recording and of the plan by targets.
    private var names: [Int: [UTF8Key: UTF8Key]] = [:]
    private let targets: VerificationTargets

    /// - Parameter key: The key that the other system's name of a variant has become.
    init(_ counts: VerificationCounts, _ targets: VerificationTargets, key: (String) -> String) {
        self.targets = targets
        // Names are compared whatever their case.
        var rows: [Int: [UTF8Key: [UTF8Key: Int]]] = [:]
        for (difference, tally) in counts.differences {
            guard let target = difference.target, !Self.isWordForNone(difference.recorded) else { continue }
            let name = UTF8Key(difference.recorded.lowercased())
            rows[target, default: [:]][name, default: [:]][UTF8Key(difference.found), default: 0] += tally.count
        }
        var kept: [Int: Set<UTF8Key>] = [:]
        for match in counts.kept.keys { kept[match.target, default: []].insert(UTF8Key(targets.name(of: match))) }
        for (target, recorded) in rows {
            let kept = kept[target] ?? []
            var found: [UTF8Key: UTF8Key] = [:]
            for (name, counts) in recorded {
                guard let most = counts.max(by: { $0.value < $1.value }), most.value > 1, !most.key.text.isEmpty,
                    4 * most.value >= 3 * counts.values.reduce(0, +), !kept.contains(most.key),
                    !targets.isOwn(name.text, of: target), !targets.isOwn(key(name.text), of: target)
                else { continue }
                found[name] = most.key
            }
            let uses = Dictionary(grouping: found.values) { $0 }
            found = found.filter { uses[$0.value]?.count == 1 }
            if kept.count + found.count > 1 { names[target] = found }
        }
    }

    /// Words that systems record for units without a variant.
    private static let wordsForNone: Set = ["disabled", "off", "none", "unallocated", "not in experiment"]

    private static func isWordForNone(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.isEmpty || wordsForNone.contains(text.lowercased())
            || UnitSuspicion.kind(of: bytes.span) == .wordForNothing
    }

    /// Whether rows of a difference have the variant that was recorded, by another name.
    func contain(_ difference: VerificationCounts.Key) -> Bool {
        guard let target = difference.target else { return false }
        if difference.isNone, !difference.recorded.isEmpty, Self.isWordForNone(difference.recorded) {
            return !targets.isOwn(difference.recorded, of: target)
        }
        return names[target]?[UTF8Key(difference.recorded.lowercased())] == UTF8Key(difference.found)
    }
}
