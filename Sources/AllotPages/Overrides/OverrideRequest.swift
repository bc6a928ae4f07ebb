import AllotConfiguration
import AllotCore
import AllotDefinitions

/// A form for the variants and values that a tester's device is to use for a while.
package struct OverrideRequest: Sendable {
    package enum Item {
        static let device = "device", app = "app", scheme = "scheme", expires = "expires", operation = "operation"
        /// Only experiments and settings with all its words are shown.
        package static let text = "text"
        static let variant = "variant.", setting = "setting."
    }

    private let items: [UTF8Key: String]

    /// Reads the items of a form; the last of several with one name counts.
    package init(_ items: [(name: String, value: String)]) {
        self.items = Dictionary(items.map { (UTF8Key($0.name), $0.value) }) { $1 }
    }

    subscript(name: String) -> String { items[UTF8Key(name)] ?? "" }

    /// The text of a setting's value; empty if it stays as it is.
    func text(of setting: DeclaredSetting) -> String {
        setting.text(ofItem: Item.setting + setting.path) { items[UTF8Key($0)] } ?? ""
    }

    /// Whether the device is to use what it fetched.
    var resets: Bool { self[Item.operation] == "reset" }

    package struct Failure: Error {
        package let problems: [String]
        package init(problems: [String]) { self.problems = problems }
    }

    /// The content of the token: the settings of the chosen variants, and the typed values.
    package func payload(_ definitions: Definitions, at instant: Instant) throws(Failure) -> DevicePayload {
        var problems: [String] = []
        var lifetime = DevicePayload.defaultLifetime
        if !self[Item.expires].isEmpty {
            if let span = TimeSpan(self[Item.expires]) {
                lifetime = span.seconds
            } else {
                problems.append("\(QuotedText(self[Item.expires])) is not a time; write one such as 12h or 7d")
            }
        }
        let (variants, values) = resets ? ([:], [:]) : chosen(definitions, &problems)
        guard problems.isEmpty else { throw Failure(problems: problems) }
        do throws(DevicePayloadError) {
            let end = instant.seconds + lifetime
            return try resets
                ? DevicePayload(
                    resetting: self[Item.device], app: self[Item.app], issued: instant.seconds, expires: end)
                : DevicePayload(
                    app: self[Item.app], device: self[Item.device], issued: instant.seconds, expires: end,
                    applying: VariantSettings(definitions, variants).adding(values), variants: variants)
        } catch { throw Failure(problems: error.problems.map(\.message)) }
    }

    private func chosen(_ definitions: Definitions, _ problems: inout [String]) -> (JSONObject, JSONObject) {
        var variants: JSONObject = [:]
        for (name, key) in named(Item.variant) {
            let text = self[name]
            guard let experiment = definitions.experiments.first(where: { UTF8Order.areEqual($0.key, key) }) else {
                problems.append("there is no experiment \(QuotedText(key))")
                continue
            }
            guard experiment.variants.contains(where: { UTF8Order.areEqual($0.key, text) }) else {
                problems.append("\(experiment.key) has no variant \(QuotedText(text))")
                continue
            }
            variants[experiment.key] = .string(text)
        }
        var values: JSONObject = [:]
        let composed = definitions.settings.filter { setting in
            !setting.formMembers.isEmpty && self[Item.setting + setting.path].isEmpty && !text(of: setting).isEmpty
        }
        for path in named(Item.setting).map({ $0.rest }) + composed.map(\.path) {
            guard let setting = definitions.setting(path) else {
                problems.append("there is no setting \(QuotedText(path))")
                continue
            }
            do {
                let value = try setting.value(ofText: text(of: setting))
                problems += setting.violations(byOverride: value).map { "\(setting.path) \($0)" }
                var section: JSONObject = if case .object(let object)? = values[setting.section] { object } else { [:] }
                section[setting.name] = value
                values[setting.section] = .object(section)
            } catch { problems.append(error.description) }
        }
        return (variants, values)
    }

    /// The items that are not empty and whose names begin alike, with the rest of their names, in order.
    private func named(_ prefix: String) -> [(name: String, rest: String)] {
        items.filter { !$0.value.isEmpty }.keys.sorted().map(\.text).filter { $0.utf8.starts(with: prefix.utf8) }
            // Not by characters: the first one of a name may join the dot.
            .map { ($0, String(Substring($0.utf8.dropFirst(prefix.utf8.count)))) }
    }
}
