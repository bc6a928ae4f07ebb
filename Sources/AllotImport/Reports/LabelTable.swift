import AllotBatch
import AllotConfiguration

/// Tells variants that only have other names in a recording from variants that differ.
///
/// Words for no variant are known. Other names count only if no row has a variant's own key, and if each name of an
/// experiment stands for one variant and each variant for one name.
struct LabelTable {
    /// A name of a variant in the recording, and the variant's key. `Sendable`.
    struct Label: Sendable {
        let experiment: String
        let recorded: String
        let found: String
        let count: Int
    }

    private(set) var labels: [Label] = []
    private(set) var differences: [VerificationResult.Difference] = []

    /// What systems record for units without a variant.
    private static let wordsForNone: Set = ["disabled", "none", "null", "nil", "undefined", "unallocated"]

    init(_ result: VerificationResult, variants: [String: Set<String>]) {
        func keys(_ experiment: String) -> Set<String>? {
            variants[experiment] ?? variants[NameTable.valid(experiment)]
        }
        func lacksVariant(_ difference: VerificationResult.Difference) -> Bool {
            guard difference.found.isEmpty, let known = keys(difference.experiment) else { return false }
            return !known.contains(difference.recorded)
                && Self.wordsForNone.contains(difference.recorded.lowercased())
        }
        var others: [UTF8Key: [VerificationResult.Difference]] = [:]
        for difference in result.differences {
            if lacksVariant(difference) {
                labels.append(Label(difference))
            } else {
                others[UTF8Key(difference.experiment), default: []].append(difference)
            }
        }
        var renamed: Set<UTF8Key> = []
        for (experiment, rows) in others.sorted(by: { $0.key < $1.key })
        where result.keptCount == 0 && Self.areNames(rows, of: keys(experiment.text)) {
            renamed.insert(experiment)
            labels += rows.map { Label($0) }
        }
        differences = result.differences.filter { !renamed.contains(UTF8Key($0.experiment)) && !lacksVariant($0) }
    }

    private static func areNames(_ rows: [VerificationResult.Difference], of variants: Set<String>?) -> Bool {
        guard rows.allSatisfy({ !["unknown", "others"].contains($0.reason) && !$0.found.isEmpty }) else { return false }
        let (recorded, found) = (Set(rows.map(\.recorded)), Set(rows.map(\.found)))
        let pairs = Set(rows.map { [$0.recorded, $0.found] })
        guard recorded.count == pairs.count, found.count == pairs.count, recorded.isDisjoint(with: found) else {
            return false
        }
        if let variants, found.isSubset(of: variants) {
            return variants.isDisjoint(with: recorded) && !recorded.contains("")
        }
        // The value of a setting may be recorded as the variation's index.
        return recorded.allSatisfy { Int($0) != nil } && found.allSatisfy { Double($0) == nil }
    }
}

extension LabelTable.Label {
    fileprivate init(_ difference: VerificationResult.Difference) {
        self.init(
            experiment: difference.experiment, recorded: difference.recorded, found: difference.found,
            count: difference.count)
    }
}
