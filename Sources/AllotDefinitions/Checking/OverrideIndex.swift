import Allot
import AllotConfiguration

/// The overrides of all experiments by setting, so that experiments without a common setting are never compared.
struct OverrideIndex: Sendable {
    /// One value that a variant overrides.
    struct Override: Sendable {
        let variant: Int
        let path: [String]
    }

    /// For each experiment its overrides, in the order of the settings' numbers.
    private let changes: [[(setting: Int, overrides: [Override])]]
    /// For each setting, by its number, the experiments that override it, in ascending order.
    private let experiments: [[Int]]

    /// Indexes the variants that some unit can be assigned.
    init(_ files: [ExperimentFile]) {
        var numbers: [[UTF8Key]: Int] = [:]
        changes = files.map { file in
            var bySetting: [Int: [Override]] = [:]
            for index in file.definition.variants.indices where file.definition.canAssign(variant: index) {
                for path in file.definition.variants[index].overriddenPaths {
                    let setting = path.prefix(2).map(UTF8Key.init)
                    let number = numbers[setting] ?? numbers.count
                    numbers[setting] = number
                    bySetting[number, default: []].append(Override(variant: index, path: path))
                }
            }
            return bySetting.sorted { $0.key < $1.key }.map { (setting: $0.key, overrides: $0.value) }
        }
        var experiments = Array(repeating: [Int](), count: numbers.count)
        for (index, changes) in changes.enumerated() {
            for change in changes { experiments[change.setting].append(index) }
        }
        self.experiments = experiments
    }

    /// Whether another experiment overrides a setting of this one.
    func hasRivals(_ index: Int) -> Bool {
        changes[index].contains { experiments[$0.setting].count > 1 }
    }

    /// The earlier experiments that override a setting of this one, in ascending order.
    func rivals(before index: Int) -> [Int] {
        if let only = changes[index].first, changes[index].count == 1 {
            return Array(experiments[only.setting].prefix { $0 < index })
        }
        var found: Set<Int> = []
        for change in changes[index] { found.formUnion(experiments[change.setting].prefix { $0 < index }) }
        return found.sorted()
    }

    /// For each setting that both experiments override, the overrides of each.
    func shared(_ first: Int, _ second: Int) -> [([Override], [Override])] {
        var result: [([Override], [Override])] = []
        var (i, j) = (0, 0)
        while i < changes[first].count, j < changes[second].count {
            let (left, right) = (changes[first][i], changes[second][j])
            if left.setting == right.setting { result.append((left.overrides, right.overrides)) }
            if left.setting <= right.setting { i += 1 }
            if right.setting <= left.setting { j += 1 }
        }
        return result
    }

    /// The first value that both override, in the notation `Section.Setting`.
    func sharedPath(_ first: Int, _ second: Int) -> String? {
        for (left, right) in shared(first, second) {
            for one in left {
                for other in right where SettingPath.overlap(one.path, other.path) {
                    return SettingPath.text(one.path.count >= other.path.count ? one.path : other.path)
                }
            }
        }
        return nil
    }
}

extension ExperimentDefinition {
    /// Whether some unit could be assigned a variant: in a concluded experiment only the winner, in a paused one none.
    fileprivate func canAssign(variant index: Int) -> Bool {
        switch status {
        case .paused: false
        case .concluded: winner == variants[index].key
        case .draft, .running: true
        }
    }
}
