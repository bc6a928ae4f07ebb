import Allot
import AllotConfiguration

/// The size of the largest configuration that can be served, as JSON: that of the base's values with the largest
/// overrides.
package struct ValueSize {
    /// The sum of all values, in bytes.
    package private(set) var bytes: Int
    /// The override that adds the most; `nil` if none adds anything.
    private(set) var largest: Override?

    /// An override that makes a setting's value larger.
    struct Override {
        /// How many bytes it adds.
        let bytes: Int
        /// The index of the experiment.
        let experiment: Int
        /// The index of the variant.
        let variant: Int
        /// Section and setting.
        let path: [String]
    }

    /// Adds up the values.
    ///
    /// Complexity: O(*n*) for *n* bytes of values.
    ///
    /// - Parameter base: The values of the base: an object of objects.
    package init(base: JSONObject, experiments: [ExperimentDefinition]) {
        var grown: [[UTF8Key]: (base: JSONValue, largest: JSONValue)] = [:]
        for (number, experiment) in experiments.enumerated() {
            for (index, variant) in experiment.variants.enumerated() {
                for section in variant.overrides.members {
                    guard case .object(let overrides) = section.value, case .object(let settings)? = base[section.key]
                    else { continue }
                    for override in overrides.members {
                        guard let value = settings[override.key] else { continue }
                        let merged = value.merging(override.value)
                        let added = merged.canonicalBytes.count - value.canonicalBytes.count
                        guard added > 0 else { continue }
                        let path = [section.key, override.key]
                        if added > largest?.bytes ?? 0 {
                            largest = Override(bytes: added, experiment: number, variant: index, path: path)
                        }
                        let key = path.map(UTF8Key.init)
                        grown[key] = (value, (grown[key]?.largest ?? value).largest(merged))
                    }
                }
            }
        }
        bytes = 0
        for section in base.members {
            guard case .object(let settings) = section.value else { continue }
            bytes += settings.members.reduce(0) { $0 + $1.value.canonicalBytes.count }
        }
        for value in grown.values {
            bytes += value.largest.canonicalBytes.count - value.base.canonicalBytes.count
        }
    }
}

extension JSONValue {
    /// The larger of two values, as JSON; of objects the larger of each member, as overrides of different members can
    /// apply together.
    fileprivate func largest(_ other: JSONValue) -> JSONValue {
        guard case .object(var members) = self, case .object(let others) = other else {
            return canonicalBytes.count < other.canonicalBytes.count ? other : self
        }
        for member in others.members {
            members[member.key] = members[member.key]?.largest(member.value) ?? member.value
        }
        return .object(members)
    }
}
