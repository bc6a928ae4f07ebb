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
        var flags: [Flag] = []
        for section in plan.base.sections.members {
            guard case .object(let settings) = section.value else { continue }
            for setting in settings.members {
                let comparisons = plan.experiments.indices.compactMap { index -> Comparison? in
                    let values = plan.experiments[index].variants.map { variant -> JSONValue? in
                        guard case .object(let settings) = variant.overrides[section.key] else { return nil }
                        return settings[setting.key]
                    }
                    return values.contains { $0 != nil } ? Comparison(experiment: index, values: values) : nil
                }
                flags.append(Flag(key: "\(section.key).\(setting.key)", base: setting.value, comparisons: comparisons))
            }
        }
        self.flags = flags
        indices = Dictionary(flags.enumerated().map { (UTF8Key($1.key), $0) }) { first, _ in first }
    }

    /// The flag of a key. Returns `nil` if it does not exist.
    package subscript(key: String) -> Flag? {
        indices[UTF8Key(key)].map { flags[$0] }
    }
}
