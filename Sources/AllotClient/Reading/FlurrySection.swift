import AllotConfiguration

extension ConfigurationSection {
    /// The section with Flurry Config's getters, to which all values are texts.
    ///
    /// - Parameter booleans: which of Flurry's three definitions of a true text is meant.
    public func flurry(booleans: FlurrySection.Booleans = .iOS) -> FlurrySection {
        FlurrySection(section: self, booleans: booleans)
    }
}

/// Flurry Config's getters of a section, for apps that come from there.
///
/// A default is used where the setting is absent, and not because a text looks wrong. Flurry has texts only: a number
/// counts as its digits, true and false as these words, and an array, an object and null as absent. Reading a setting that
/// exists reports the exposure to the experiments that set it, whether its value can be taken or not.
public struct FlurrySection: Sendable, Hashable {
    /// Which texts are true: Flurry's own sources contradict each other.
    public enum Booleans: Sendable, Hashable {
        /// All but `0`, as the page for iOS says: `no` and `false` are true.
        case iOS
        /// `YES` and `TRUE` alone, in upper or lower case, as the header for iOS says.
        case header
        /// `true` alone, in upper or lower case, as the page for Android says.
        case android
    }

    /// The section.
    public let section: ConfigurationSection
    /// Which texts are true.
    public let booleans: Booleans

    /// The text of a setting; `nil` if it is absent.
    public func string(_ setting: String) -> String? {
        section.read(setting, String.init(lenient:))
    }

    /// The text of a setting, or a default if it is absent.
    public func string(_ setting: String, default: String) -> String {
        string(setting) ?? `default`
    }

    /// The number of a setting; `nil` if it is absent or the text is no number.
    public func number(_ setting: String) -> Double? {
        section.read(setting, Double.init(lenient:))
    }

    /// The number of a setting, or a default if it is absent or the text is no number, for which Flurry's answer is not
    /// known.
    public func number(_ setting: String, default: Double) -> Double {
        number(setting) ?? `default`
    }

    /// Whether the text of a setting is true, or a default if it is absent. JSON's own true and false are themselves.
    public func bool(_ setting: String, default: Bool) -> Bool {
        section.read(setting) { value in
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
