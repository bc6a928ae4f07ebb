import AllotConfiguration

/// The names that a recording has for variants, where they differ from those of the plan.
///
/// A name stands for the variant that nearly all of its units have, if no other name does, several units have it, and
/// another variant has a name of its own. A text such as a variant's key never stands for anything else.
struct RecordedNames {
    private var names: [Int: [UTF8Key: UTF8Key]] = [:]
    private var own: [Int: VerificationTargets.OwnTexts] = [:]
    private let key: (String) -> String

    /// The number of units that a name needs, and the share of them that has to have one variant.
    private static let leastUnits = 3
    private static let leastShare = 0.9
    /// Up to this share of a variant's rows its own key may stand beside another name.
    private static let strayShare = 0.05

    /// - Parameter key: The key that the other system's name of a variant has become.
    init(_ counts: VerificationCounts, _ targets: VerificationTargets, key: @escaping (String) -> String) {
        self.key = key
        // Names are compared whatever their case.
        var rows: [Int: [UTF8Key: [UTF8Key: Int]]] = [:]
        for (difference, tally) in counts.differences {
            guard let target = difference.target, !difference.recorded.isEmpty else { continue }
            // Units that were recorded without a variant, and have one now, are not called otherwise.
            if !difference.isNone, Self.isNothing(difference.recorded) { continue }
            if own[target] == nil { own[target] = targets.ownTexts(of: target) }
            let name = UTF8Key(difference.recorded.lowercased())
            let count = tally.units.isEmpty ? tally.count : tally.units.count
            rows[target, default: [:]][name, default: [:]][UTF8Key(difference.found), default: 0] += count
        }
        var kept: [Int: [UTF8Key: Int]] = [:]
        for (match, count) in counts.kept {
            let name = targets.name(of: match)
            if !name.isEmpty { kept[match.target, default: [:]][UTF8Key(name), default: 0] += count }
        }
        for (target, recorded) in rows {
            var kept = kept[target] ?? [:]
            var found: [UTF8Key: UTF8Key] = [:]
            for (name, counts) in recorded where !isOwn(name.text, of: target) {
                guard let most = counts.max(by: { $0.value < $1.value }), most.value >= Self.leastUnits,
                    !most.key.text.isEmpty,
                    Double(most.value) >= Self.leastShare * Double(counts.values.reduce(0, +)),
                    Double(kept[most.key] ?? 0) <= Self.strayShare * Double(most.value)
                else { continue }
                found[name] = most.key
            }
            let uses = Dictionary(grouping: found.values) { $0 }
            found = found.filter { uses[$0.value]?.count == 1 }
            for variant in found.values { kept[variant] = nil }
            if kept.count + found.count > 1 { names[target] = found }
        }
    }

    private func isOwn(_ text: String, of target: Int) -> Bool {
        guard let own = own[target] else { return false }
        return own.contains(text) || own.contains(key(text))
    }

    /// Words that systems record for units without a variant, besides those for nothing.
    private static let wordsForNone: Set = ["disabled", "unallocated", "not in experiment"]

    private static func isNothing(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.isEmpty || wordsForNone.contains(text.lowercased())
            || UnitSuspicion.kind(of: bytes.span) == .wordForNothing
    }

    /// Whether rows of a difference have the variant that was recorded, by another name.
    func contain(_ difference: VerificationCounts.Key) -> Bool {
        guard let target = difference.target else { return false }
        if let variant = names[target]?[UTF8Key(difference.recorded.lowercased())] {
            return variant == UTF8Key(difference.found)
        }
        // A variant may be called "off" as well.
        return difference.isNone && (Self.isNothing(difference.recorded) || difference.recorded.lowercased() == "off")
            && !isOwn(difference.recorded, of: target)
    }
}
