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
        let comparisons: [Comparison]

        /// The indices of the experiments whose decisions an answer depends on.
        package var comparingExperiments: [Int] { comparisons.map(\.experiment) }
    }

    /// An experiment that compares a setting: any of its variants overrides it, or a part of its value.
    struct Comparison: Sendable {
        let experiment: Int
        /// By variant the value, `nil` if the variant does not override the setting.
        let values: [JSONValue?]
    }

    /// All flags in the order of the configuration's sections and settings.
    package let flags: [Flag]
    private let indices: [UTF8Key: Int]

    init(_ plan: Plan) {
        let comparisons = Self.comparisons(plan.experiments)
        var flags: [Flag] = []
        for section in plan.base.sections.members {
            for setting in section.value.members {
                flags.append(
                    Flag(
                        key: "\(section.key).\(setting.key)", base: setting.value,
                        comparisons: comparisons[[UTF8Key(section.key), UTF8Key(setting.key)]] ?? []))
            }
        }
        self.flags = flags
        indices = Dictionary(flags.enumerated().map { (UTF8Key($1.key), $0) }) { first, _ in first }
    }

    /// The comparisons of each setting, by the names of section and setting.
    private static func comparisons(_ experiments: [Plan.Experiment]) -> [[UTF8Key]: [Comparison]] {
        var comparisons: [[UTF8Key]: [Comparison]] = [:]
        for (index, experiment) in experiments.enumerated() {
            let none = experiment.variants.map { _ -> JSONValue? in nil }
            var values: [[UTF8Key]: [JSONValue?]] = [:]
            for (number, variant) in experiment.variants.enumerated() {
                for section in variant.overrides.members {
                    for setting in section.value.members {
                        values[[UTF8Key(section.key), UTF8Key(setting.key)], default: none][number] = setting.value
                    }
                }
            }
            for (setting, values) in values {
                comparisons[setting, default: []].append(Comparison(experiment: index, values: values))
            }
        }
        return comparisons
    }

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
