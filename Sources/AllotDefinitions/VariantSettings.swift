import AllotConfiguration
import AllotCore

/// The settings of chosen variants as the values of a token, which replaces whole settings in the app: each setting
/// that any variant of the experiments overrides, so that nothing of the variants that the server assigned is left.
package struct VariantSettings: Sendable {
    /// Section → setting → value.
    package private(set) var values: JSONObject = [:]

    /// - Parameter variants: experiment → variant; all of them must exist.
    package init(_ definitions: Definitions, _ variants: JSONObject) {
        for experiment in definitions.experiments {
            guard case .string(let chosen)? = variants[experiment.key],
                let variant = experiment.variants.first(where: { UTF8Order.areEqual($0.key, chosen) })
            else { continue }
            for setting in Set(experiment.overriddenPaths.map { $0.prefix(2).map(UTF8Key.init) }) {
                let (section, name) = (setting[0].text, setting[1].text)
                var merged = values.object(section) ?? [:]
                // A variant may override single members of an object; the others have the values of the base.
                let present = merged[name] ?? definitions.base.object(section)?[name]
                let own = variant.overrides.object(section)?[name]
                merged[name] = own.map { present?.merging($0) ?? $0 } ?? present
                values[section] = .object(merged)
            }
        }
    }

    /// The values with those of `others`, which win setting by setting.
    package func adding(_ others: JSONObject) -> JSONObject {
        var all = values
        for section in others.members {
            guard case .object(let settings) = section.value else {
                // The payload rejects its form.
                all[section.key] = section.value
                continue
            }
            var merged = all.object(section.key) ?? [:]
            for setting in settings.members { merged[setting.key] = setting.value }
            all[section.key] = .object(merged)
        }
        return all
    }
}
