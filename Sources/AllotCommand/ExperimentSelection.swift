import Allot
import AllotDefinitions

/// The experiments that `--experiment` names.
enum ExperimentSelection {
    /// Their indices, `nil` for all when none is named.
    static func indices(of keys: [String], in plan: Plan) throws -> [Int]? {
        let known = plan.experiments.map(\.key)
        for key in keys where !known.contains(key) {
            let hint = NearestName.hint(for: key, among: known).map { "did you mean \"\($0)\"?" }
            throw CommandFailure("unknown experiment \"\(key)\"; \(hint ?? listed(known))")
        }
        return keys.isEmpty ? nil : plan.experiments.indices.filter { keys.contains(plan.experiments[$0].key) }
    }

    /// The first keys, for messages.
    static func listed(_ names: [String]) -> String {
        guard !names.isEmpty else { return "the definitions hold no experiment" }
        let shown = names.prefix(12).joined(separator: ", ")
        return "there are \(shown)" + (names.count > 12 ? ", … (\(names.count) in all)" : "")
    }
}
