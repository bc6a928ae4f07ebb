import AllotConfiguration

extension ConfigurationSection {
    /// The section with Flurry Config's getters, for which all values are texts.
    ///
    /// - Parameter booleans: which of Flurry's three definitions of a true text applies.
    public func flurry(booleans: FlurrySection.Booleans = .iOS) -> FlurrySection {
        FlurrySection(section: self, booleans: booleans)
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

    /// The section.
    let section: ConfigurationSection
    /// Which texts are true.
    let booleans: Booleans

    /// The text of a setting; `nil` if it is absent.
    public func string(_ setting: String) -> String? {
        section[setting].flatMap(String.init(lenient:))
    }

    /// The text of a setting, or a default if it is absent.
    public func string(_ setting: String, default: String) -> String {
        string(setting) ?? `default`
    }

    /// The number of a setting; `nil` if it is absent or not a number.
    public func number(_ setting: String) -> Double? {
        section[setting].flatMap(Double.init(lenient:))
    }

    /// The number of a setting, or a default if it is absent or not a number, for which Flurry's answer is not known.
    public func number(_ setting: String, default: Double) -> Double {
        number(setting) ?? `default`
    }

    /// Whether the text of a setting is true, or a default if it is absent. JSON's own true and false are themselves.
    public func bool(_ setting: String, default: Bool) -> Bool {
        section[setting].flatMap { value in
            if case .boolean(let flag) = value { flag } else { String(lenient: value).map(isTrue) }
        } ?? `default`
    }

    private func isTrue(_ text: String) -> Bool {
        switch booleans {
        case .iOS: !UTF8Order.areEqual(text, "0")
        case .header: ASCIIText.areEqual(text, "yes") || ASCIIText.areEqual(text, "true")
        case .android: ASCIIText.areEqual(text, "true")
        }
    }
}
