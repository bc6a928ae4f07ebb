import AllotConfiguration

/// The overrides of experiments by setting, so that experiments without a common setting are never compared.
package struct OverrideIndex: Sendable {
    package struct Override: Sendable {
        package let variant: Int
        package let path: [String]
        fileprivate let setting: Int
    }

    /// For each experiment its overrides of settings that rivals override too, in the order of the settings' numbers.
    private let overrides: [[Override]]
    /// For each setting, by its number, the experiments that override it and can be rivals, in ascending order.
    private let experiments: [[Int]]

    /// Indexes the overrides of the variants that are included, both given by the indices of experiment and variant.
    /// Common settings are found for pairs of which at least one experiment can be a rival.
    package init(
        _ definitions: [ExperimentDefinition], rivals canBeRival: (Int) -> Bool = { _ in true },
        variants isIncluded: (Int, Int) -> Bool = { _, _ in true }
    ) {
        var numbers: [UTF8Key: [UTF8Key: Int]] = [:]
        var experiments: [[Int]] = []
        var overrides = Array(repeating: [Override](), count: definitions.count)
        var others: [Int] = []
        /// - Parameter enter: Returns the number of a setting that is new, or `nil` to skip it.
        func note(_ index: Int, enter: (_ section: UTF8Key, _ name: UTF8Key) -> Int?) {
            for variant in definitions[index].variants.indices where isIncluded(index, variant) {
                for path in definitions[index].variants[variant].overriddenPaths {
                    let (section, name) = (UTF8Key(path[0]), UTF8Key(path[1]))
                    guard let setting = numbers[section]?[name] ?? enter(section, name) else { continue }
                    overrides[index].append(Override(variant: variant, path: path, setting: setting))
                }
            }
            overrides[index].sort { $0.setting < $1.setting }
        }
        for index in definitions.indices {
            guard canBeRival(index) else {
                others.append(index)
                continue
            }
            note(index) { section, name in
                numbers[section, default: [:]][name] = experiments.count
                experiments.append([])
                return experiments.count - 1
            }
            for override in overrides[index] where experiments[override.setting].last != index {
                experiments[override.setting].append(index)
            }
        }
        for other in others { note(other) { _, _ in nil } }
        (self.overrides, self.experiments) = (overrides, experiments)
    }

    package func rivals(of index: Int, before end: Int = .max) -> [Int] {
        var rivals: [Int] = []
        var (count, last) = (0, -1)
        for override in overrides[index] where override.setting != last {
            last = override.setting
            let found = experiments[last].prefix { $0 < end }
            if !found.isEmpty { count += 1 }
            rivals += found
        }
        return count > 1 ? Set(rivals).sorted() : rivals
    }

    package func shared(_ first: Int, _ second: Int) -> [([Override], [Override])] {
        var shared: [([Override], [Override])] = []
        var (lefts, rights) = (overrides[first][...], overrides[second][...])
        while let left = lefts.first?.setting, let right = rights.first?.setting {
            let ofLeft = left <= right ? lefts.prefix { $0.setting == left } : []
            let ofRight = right <= left ? rights.prefix { $0.setting == right } : []
            if left == right { shared.append((Array(ofLeft), Array(ofRight))) }
            lefts = lefts.dropFirst(ofLeft.count)
            rights = rights.dropFirst(ofRight.count)
        }
        return shared
    }

    package func sharedPath(_ first: Int, _ second: Int) -> [String]? {
        for (left, right) in shared(first, second) {
            for one in left {
                for other in right where SettingPath.overlap(one.path, other.path) {
                    return one.path.count >= other.path.count ? one.path : other.path
                }
            }
        }
        return nil
    }
}
