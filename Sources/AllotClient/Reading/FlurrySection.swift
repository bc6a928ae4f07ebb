import AllotConfiguration

extension Configuration {
    /// A section with Flurry Config's getters, whether it exists or not: without it, all its settings are absent, and
    /// the getters return their defaults. `booleans` says which of Flurry's three definitions of a true text applies.
    public func flurry(_ section: String, booleans: FlurrySection.Booleans = .iOS) -> FlurrySection {
        FlurrySection(section: sectionOrEmpty(section), booleans: booleans)
    }
}

/// Flurry Config's getters of a section, for apps that migrate from it.
///
/// A default is used if the setting is absent, not if a text looks wrong. Flurry has texts only: a number reads as its
/// digits, true and false as these words, and arrays, objects and null as absent. Reading a setting that exists reports
/// the exposure to the experiments that compare it, whether its value can be converted or not.
public struct FlurrySection: Sendable, Equatable {
    /// Which texts are true: Flurry's own sources contradict each other.
    public enum Booleans: Sendable, Hashable {
        /// All except `0`, according to the page for iOS: `no` and `false` are true.
        case iOS
        /// Only `YES` and `TRUE`, in upper or lower case, according to the header for iOS.
        case header
        /// Only `true`, in upper or lower case, according to the page for Android.
        case android
    }

    let section: ConfigurationSection
    let booleans: Booleans

    /// The text of a setting; `nil` if it is absent.
    public func string(_ setting: String) -> String? {
        switch section[setting] {
        case .string(let text)?: text
        case .number(let number)?: number.text
        case .boolean(let flag)?: flag ? "true" : "false"
        case .null?, .array?, .object?, nil: nil
        }
    }

    /// The text of a setting, or a default if it is absent.
    public func string(_ setting: String, default: String) -> String { string(setting) ?? `default` }

    /// The number of a setting; `nil` if it is absent or not a number.
    public func number(_ setting: String) -> Double? {
        string(setting).flatMap { JSONNumber($0) }.flatMap { Double(nearest: $0) }
    }

    /// The number of a setting, or a default if it is absent or not a number, for which Flurry's answer is not known.
    public func number(_ setting: String, default: Double) -> Double { number(setting) ?? `default` }

    /// Whether the text of a setting is true, or a default if it is absent. JSON's own true and false are themselves.
    public func bool(_ setting: String, default: Bool) -> Bool {
        section[setting]?.boolean ?? string(setting).map(isTrue) ?? `default`
    }

    private func isTrue(_ text: String) -> Bool {
        switch booleans {
        case .iOS: !UTF8Order.areEqual(text, "0")
        case .header: ["yes", "true"].contains(text.lowercased())
        case .android: text.lowercased() == "true"
        }
    }
}
