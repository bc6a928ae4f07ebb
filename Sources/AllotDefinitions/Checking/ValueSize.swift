import AllotConfiguration
import AllotCore

/// The size of the values of configurations as JSON, in bytes.
package struct ValueSize {
    /// The size with the variant that adds the most: some unit gets it.
    package var bytes: Int { base + (largest?.bytes ?? 0) }
    let base: Int
    /// The bytes of the variant that adds the most, with the indices of its experiment and itself; `nil` if none adds
    /// anything.
    private(set) var largest: (bytes: Int, experiment: Int, variant: Int)?
    /// An upper bound of the size with variants of several experiments, of which a unit is in at most one of a layer.
    /// Audiences may keep it from being reached.
    package private(set) var bound: Int

    package init(base values: JSONObject, experiments: [ExperimentDefinition]) {
        base = values.settings.reduce(0) { $0 + $1.value.size }
        bound = base
        var byLayer: [UTF8Key: Int] = [:]
        for (number, experiment) in experiments.enumerated() {
            var most = 0
            for (index, variant) in experiment.variants.enumerated() where experiment.canAssign(variant: index) {
                let bytes = Self.addition(of: variant.overrides, to: values)
                most = max(most, bytes)
                if bytes > largest?.bytes ?? 0 { largest = (bytes: bytes, experiment: number, variant: index) }
            }
            if let layer = experiment.layer {
                byLayer[UTF8Key(layer)] = max(byLayer[UTF8Key(layer)] ?? 0, most)
            } else {
                bound += most
            }
        }
        bound += byLayer.values.reduce(0, +)
    }

    /// The bytes that the overrides of a variant add; less than 0 if they are smaller than the values of the base.
    private static func addition(of overrides: JSONObject, to values: JSONObject) -> Int {
        overrides.settings.reduce(0) { sum, setting in
            sum + (values.object(setting.section)?[setting.name].map { setting.value.addition(to: $0) } ?? 0)
        }
    }
}

extension JSONValue {
    fileprivate var size: Int { canonicalBytes.count }

    /// How much larger a value becomes when this is merged into it, measured without merging.
    fileprivate func addition(to old: JSONValue) -> Int {
        guard case .object(let new) = self, case .object(let members) = old else { return size - old.size }
        var hasMembers = !members.members.isEmpty
        return new.members.reduce(0) { sum, member in
            if let known = members[member.key] { return sum + member.value.addition(to: known) }
            // With a colon, and a comma unless it is the first.
            defer { hasMembers = true }
            return sum + JSONValue.string(member.key).size + 1 + member.value.size + (hasMembers ? 1 : 0)
        }
    }
}
