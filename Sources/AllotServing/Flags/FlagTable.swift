import AllotConfiguration
import AllotCore

/// The settings of a plan as OpenFeature flags, named `Section.Setting`.
package struct FlagTable: Sendable {
    package struct Flag: Sendable {
        package let key: String
        let base: JSONValue
        /// The experiments that compare it, in the order of the plan.
        fileprivate(set) var comparisons: [Comparison] = []

        /// The indices of the experiments whose decisions are part of an answer.
        package var comparingExperiments: [Int] { comparisons.map(\.experiment) }

        /// Notes the value of a variant. Experiments come in order.
        fileprivate mutating func note(_ value: JSONValue, of variant: Int, _ count: Int, _ experiment: Int) {
            if comparisons.last?.experiment != experiment {
                comparisons.append(Comparison(experiment: experiment, values: Array(repeating: nil, count: count)))
            }
            comparisons[comparisons.count - 1].values[variant] = value
        }
    }

    /// An experiment that compares a setting: any of its variants overrides it, or a part of its value.
    struct Comparison: Sendable {
        let experiment: Int
        /// By variant the value, `nil` if the variant does not override the setting.
        fileprivate(set) var values: [JSONValue?]
    }

    /// All flags in the order of the configuration's sections and settings.
    package let flags: [Flag]
    private let indices: [UTF8Key: Int]

    init(_ plan: Plan) {
        let count = plan.base.sections.members.reduce(0) { $0 + $1.value.members.count }
        var flags: [Flag] = []
        flags.reserveCapacity(count)
        var indices: [UTF8Key: Int] = [:]
        indices.reserveCapacity(count)
        for section in plan.base.sections.members {
            for setting in section.value.members {
                let key = "\(section.key).\(setting.key)"
                // The first of two settings with one key is the flag.
                let first = indices.updateValue(flags.count, forKey: UTF8Key(key))
                if let first { indices[UTF8Key(key)] = first }
                flags.append(Flag(key: key, base: setting.value))
            }
        }
        plan.forEachOverride { experiment, variant, setting, value in
            flags[setting].note(value, of: variant, plan.experiments[experiment].variants.count, experiment)
        }
        self.flags = flags
        self.indices = indices
    }

    package subscript(key: String) -> Flag? { indices[UTF8Key(key)].map { flags[$0] } }
}

extension JSONValue {
    /// The settings of a section, which is an object in every plan.
    fileprivate var members: [JSONObject.Member] { if case .object(let object) = self { object.members } else { [] } }
}
