import AllotConfiguration
import AllotCore

/// A Swift enumeration of the allowed values of a setting, with texts or whole numbers as raw values.
struct SwiftEnumeration {
    struct Case {
        /// The name, which may be a word that Swift reserves.
        let name: String
        let value: JSONValue
        /// The name for people; `nil` if it says nothing more.
        let label: String?
    }

    let rawType: String
    let cases: [Case]
    /// The changes of names, each to follow the setting's name in a sentence.
    let notes: [String]
    /// The most characters of a value in the short name of its case.
    private static let nameLimit = 60
    /// The members that every enumeration of settings has.
    private static let members: Set<String> = ["allCases", "expectation", "hash", "hashValue", "json", "rawValue"]

    /// Creates the enumeration. Returns `nil` for a setting that is not one of texts or whole numbers, and for texts
    /// that are equal for Swift, which could not be raw values of different cases.
    init?(_ setting: DeclaredSetting, _ values: [JSONValue], _ type: SettingSource.PropertyType) {
        switch type {
        case .text: rawType = "String"
        case .integer: rawType = "Int"
        case .boolean, .number, .texts, .json, .format: return nil
        }
        guard setting.allowed != nil, values.contains(where: { $0.isEquivalent(to: setting.value) }),
            Set(values.map(\.plainText)).count == values.count
        else { return nil }
        let shortNames = values.map(Self.shortName)
        let counts = Dictionary(shortNames.map { ($0, 1) }, uniquingKeysWith: +)
        var notes: [String] = []
        cases = zip(values, shortNames).map { value, shortName -> Case in
            let text = value.plainText
            var name = shortName
            // Not numbered: the meaning of a name must not depend on the order of the values.
            if counts[shortName] != 1 || Self.members.contains(shortName) {
                name = SwiftName.exact(text)
                notes.append(
                    "has \(QuotedText(text)) as the case \(name) in Swift, since \(shortName) is taken or ambiguous")
            }
            let label = setting.label(of: value)
            let isSaid = label.map { UTF8Order.areEqual($0, text) } ?? true
            return Case(name: name, value: value, label: isSaid ? nil : label)
        }
        self.notes = notes
    }

    private static func shortName(of value: JSONValue) -> String {
        if case .number(let number) = value, let digits = SwiftLiteral.integer(number) {
            return digits.hasPrefix("-") ? "minus\(digits.dropFirst())" : "value\(digits)"
        }
        let text = value.plainText
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(nameLimit)))
        return SwiftName.lowerCamelCase(start, else: text.isEmpty ? "empty" : "value")
    }
}

extension SwiftEnumeration.Case {
    /// The declaration; the raw value is written unless it is the name.
    var source: String {
        let start = "case \(SwiftName.source(name))"
        if case .number(let number) = value, let digits = SwiftLiteral.integer(number) { return "\(start) = \(digits)" }
        let text = value.plainText
        return UTF8Order.areEqual(name, text) ? start : "\(start) = \(SwiftLiteral.text(text))"
    }
}
