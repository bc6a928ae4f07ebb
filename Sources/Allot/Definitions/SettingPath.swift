import AllotConfiguration

/// Whether two experiments set the same thing.
package enum SettingPath {
    /// Two paths meet when one is the beginning of the other: setting an object sets its members.
    package static func overlap(_ left: [String], _ right: [String]) -> Bool {
        zip(left, right).allSatisfy { UTF8Order.areEqual($0, $1) }
    }

    /// A path as people write it: `Checkout.Layout.padding.top`.
    package static func text(_ path: [String]) -> String {
        path.joined(separator: ".")
    }
}

/// For each experiment the others that set something it sets, or share its layer. Found through an index of sections
/// and settings, so that unrelated experiments are never compared.
struct RivalTable {
    private(set) var rivals: [[Int]]

    init(_ experiments: [ExperimentDefinition]) {
        let paths = experiments.map { experiment in experiment.variants.flatMap(\.overriddenPaths) }
        var bySetting: [[UTF8Key]: [Int]] = [:]
        var byLayer: [String: [Int]] = [:]
        // Only those that force units count.
        for (index, experiment) in experiments.enumerated() where experiment.forcesUnits && !experiment.forced.isEmpty {
            for setting in Set(paths[index].map { $0.prefix(2).map(UTF8Key.init) }) {
                bySetting[setting, default: []].append(index)
            }
            if let layer = experiment.layer { byLayer[layer, default: []].append(index) }
        }
        rivals = experiments.indices.map { index in
            var found: Set<Int> = []
            if let layer = experiments[index].layer { found.formUnion(byLayer[layer] ?? []) }
            for path in paths[index] {
                for other in bySetting[path.prefix(2).map(UTF8Key.init)] ?? []
                where !found.contains(other) && paths[other].contains(where: { SettingPath.overlap($0, path) }) {
                    found.insert(other)
                }
            }
            found.remove(index)
            return found.sorted()
        }
    }
}
