import Allot
import AllotConfiguration
import AllotDefinitions

/// What chosen variants set, as the values of a token: whole settings, as the app replaces those that it has.
struct VariantSettings {
    /// Section → setting → value.
    private(set) var values: JSONObject = [:]

    /// - Parameter variants: experiment → variant, all of which there are.
    init(_ loaded: LoadedDefinitions, _ variants: JSONObject) {
        for experiment in loaded.definitions.experiments {
            guard case .string(let chosen)? = variants[experiment.key],
                let variant = experiment.variants.first(where: { UTF8Order.areEqual($0.key, chosen) })
            else { continue }
            merge(variant.overrides, loaded.settings)
        }
    }

    /// A variant may set single members of an object: the others are the base's.
    private mutating func merge(_ overrides: JSONObject, _ declared: [DeclaredSetting]) {
        for section in overrides.members {
            guard case .object(let settings) = section.value else { continue }
            var merged = Self.settings(section.key, of: values)
            for setting in settings.members {
                let base = declared.first {
                    UTF8Order.areEqual($0.section, section.key) && UTF8Order.areEqual($0.name, setting.key)
                }
                let present = merged[setting.key] ?? base?.value
                merged[setting.key] = present?.merging(setting.value) ?? setting.value
            }
            values[section.key] = .object(merged)
        }
    }

    /// The values, and over them others, setting by setting.
    func adding(_ others: JSONObject) -> JSONObject {
        var all = values
        for section in others.members {
            guard case .object(let settings) = section.value else {
                // Its form is refused with all others.
                all[section.key] = section.value
                continue
            }
            var merged = Self.settings(section.key, of: all)
            for setting in settings.members { merged[setting.key] = setting.value }
            all[section.key] = .object(merged)
        }
        return all
    }

    private static func settings(_ section: String, of values: JSONObject) -> JSONObject {
        if case .object(let settings)? = values[section] { settings } else { [:] }
    }
}
