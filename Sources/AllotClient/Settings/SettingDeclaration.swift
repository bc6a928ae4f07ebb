public import AllotConfiguration

import struct Foundation.Data
import struct Foundation.Date

/// The declaration of a setting in an app: for checks, and for menus in which testers choose values.
public struct SettingDeclaration: Sendable {
    /// The section's name.
    public let section = SettingsContext.current?.type.section ?? ""
    /// The setting's name.
    public let setting: String
    let typedDefault: any SettingValue
    /// The constraints on values, in addition to their type.
    public let constraints: SettingConstraints
    /// The setting's name for people; `nil` if it has none but ``setting``.
    public let title: String?
    /// The purpose of the setting.
    public let description: String?
    /// The unit of a number, such as `hours`.
    public let unit: String?
    /// The control that edits the setting in menus; `nil` for one that fits its type.
    public let control: SettingControl?
    /// The pictures at the ends of a slider.
    public let icons: SettingIcons?
    /// Whether menus say that the app uses a new value only after it starts again; the client provides each value at
    /// once.
    public let requiresRestart: Bool
    let owner = SettingsContext.current?.type

    /// The default, as JSON.
    public var defaultValue: JSONValue { typedDefault.json }
    /// The Swift type of its values: `Int`.
    public var typeName: String { String(describing: valueType) }
    /// A description of its type for people: `a whole number`.
    public var expectation: String { valueType.expectation }
    /// The format of its values, for menus that edit them with a control that fits; `nil` for a type that JSON has.
    public var format: SettingFormat? {
        if valueType == Date.self || valueType == Date?.self { return .dateTime }
        if valueType == GeoPoint.self || valueType == GeoPoint?.self { return .geoPoint }
        if valueType == ConfigurationFile.self || valueType == ConfigurationFile?.self { return .file }
        return valueType == Data.self || valueType == Data?.self ? .bytes : nil
    }

    private var valueType: any SettingValue.Type { type(of: typedDefault) }
    var sectionType: String { owner.map { String(describing: $0) } ?? "" }
    var defaultViolations: [SettingViolation] { constraints.violations(ofDefault: typedDefault) }
    var path: String { "\(section).\(setting)" }
    func violations(of value: JSONValue) -> [SettingViolation] { constraints.violations(of: value, as: valueType) }

    func written(_ value: JSONValue) -> (json: JSONValue, text: String)? {
        guard let typed = try? valueType.init(json: value) else { return nil }
        return (typed.json, SettingText.shown(typed))
    }

    func refusal(of entry: SettingEntry) -> SettingRefusal? { refusal(of: entry, violations(of: entry.value)) }

    func refusal(of entry: SettingEntry, _ violations: [SettingViolation]) -> SettingRefusal? {
        guard !violations.isEmpty else { return nil }
        return SettingRefusal(
            section: section, setting: setting, value: entry.value, source: entry.source, violations: violations)
    }
}

extension SettingConstraints {
    func violations<Value: SettingValue>(of json: JSONValue, as type: Value.Type) -> [SettingViolation] {
        resolve(json, as: type).violations
    }

    func resolve<Value: SettingValue>(
        _ json: JSONValue, as _: Value.Type
    ) -> (value: Value?, violations: [SettingViolation]) {
        let value: Value
        do throws(SettingValueError) {
            value = try Value(json: json)
        } catch { return (nil, [SettingViolation(error, of: json)]) }
        if isEmpty { return (value, []) }
        let violations = violations(of: value.json, text: SettingText.text(of: value))
        return (violations.isEmpty ? value : nil, violations)
    }
}

extension SettingViolation {
    fileprivate init(_ error: SettingValueError, of value: JSONValue) {
        guard !error.path.isEmpty else {
            self.init(kind: .type, expected: error.expected, found: value.shortened)
            return
        }
        let place = error.path.map(\.description).joined()
        self.init(kind: .type, expected: "\(error.expected) at \(place)", found: error.found?.shortened ?? "nothing")
    }
}

enum SettingText {
    /// The text that a pattern matches: text itself, or a number's shortest digits. Returns `nil` for any other value.
    static func text(of value: some SettingValue) -> String? {
        // `as?` looks into optionals.
        if let number = value as? any BinaryFloatingPoint { return "\(number)" }
        return switch value.json {
        case .string(let text): text
        case .number(let number): number.text
        default: nil
        }
    }

    /// The text that people see: `60.0` for a floating point type; JSON for anything but numbers.
    static func shown(_ value: some SettingValue) -> String {
        let json = value.json
        if case .number = json, let text = text(of: value) { return text }
        return json.canonicalText
    }
}
