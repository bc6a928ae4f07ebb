import AllotConfiguration
import AllotCore

package struct UnknownExperiment: Error, Sendable, Hashable, CustomStringConvertible { package let description: String }

extension Plan {
    /// The indices of the experiments with the given keys; `nil`, which means all experiments, if no key is given.
    package func experimentIndices(of keys: [String]) throws(UnknownExperiment) -> [Int]? {
        let known = experiments.map(\.key)
        for key in keys where !known.contains(key) {
            let hint = NearestName.hint(for: key, among: known).map { "did you mean \"\($0)\"?" }
            throw UnknownExperiment(description: "unknown experiment \(QuotedText(key)); \(hint ?? listedExperiments)")
        }
        return keys.isEmpty ? nil : experiments.indices.filter { keys.contains(experiments[$0].key) }
    }

    package var listedExperiments: String {
        guard !experiments.isEmpty else { return "the definitions have no experiment" }
        let shown = experiments.prefix(12).map(\.key).joined(separator: ", ")
        return "there are \(shown)" + (experiments.count > 12 ? ", … (\(experiments.count) in all)" : "")
    }
}
