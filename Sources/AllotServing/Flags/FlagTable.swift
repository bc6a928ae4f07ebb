import Allot
import AllotConfiguration

/// The settings of a plan as OpenFeature flags, named `Section.Setting`.
package struct FlagTable: Sendable {
    /// One setting.
    package struct Flag: Sendable {
        package let key: String
        /// The value of the base configuration.
        let base: JSONValue
        /// The experiments that compare it, in the order of the plan.
        fileprivate(set) var comparisons: [Comparison] = []

        /// The indices of the experiments whose decisions an answer depends on.
        package var comparingExperiments: [Int] { comparisons.map(\.experiment) }

        /// Notes the value of a variant. Experiments come in order.
        fileprivate mutating func note(
            _ value: JSONValue, of variant: Int, _ experiment: Plan.Experiment, _ index: Int
        ) {
            if comparisons.last?.experiment != index {
                comparisons.append(
                    Comparison(experiment: index, values: Array(repeating: nil, count: experiment.variants.count)))
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
        var flags: [Flag] = []
        var indices: [UTF8Key: Int] = [:]
        for section in plan.base.sections.members {
            for setting in section.value.members {
                let key = Self.key(section.key, setting.key)
                indices[UTF8Key(key)] = indices[UTF8Key(key)] ?? flags.count
                flags.append(Flag(key: key, base: setting.value))
            }
        }
        for (index, experiment) in plan.experiments.enumerated() {
            for (number, variant) in experiment.variants.enumerated() {
                for section in variant.overrides.members {
                    for setting in section.value.members {
                        guard let flag = indices[UTF8Key(Self.key(section.key, setting.key))] else { continue }
                        flags[flag].note(setting.value, of: number, experiment, index)
                    }
                }
            }
        }
        self.flags = flags
        self.indices = indices
    }

    private static func key(_ section: String, _ setting: String) -> String { "\(section).\(setting)" }

    /// The flag of a key. Returns `nil` if it does not exist.
    package subscript(key: String) -> Flag? {
        indices[UTF8Key(key)].map { flags[$0] }
    }
}

extension JSONValue {
    /// The settings of a section, which is an object in every plan.
    fileprivate var members: [JSONObject.Member] {
        if case .object(let object) = self { object.members } else { [] }
    }
}
