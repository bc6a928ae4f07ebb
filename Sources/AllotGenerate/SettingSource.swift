import AllotConfiguration
import AllotCore

/// A setting of the base as a property: its type, its default and its constraints in Swift.
struct SettingSource {
    enum PropertyType {
        case boolean, integer, number, text, texts, json
        /// A type of its own for values that JSON has as text or objects.
        case format(SettingFormat)
    }

    let setting: DeclaredSetting
    let type: PropertyType
    /// The setting's own enumeration; `nil` for other values than texts and whole numbers of an `enum`.
    private(set) var enumeration: SwiftEnumeration?
    private let literal: SwiftLiteral
    /// The losses, each to follow the setting's name in a sentence.
    private(set) var notes: [String] = []
    private var pattern: String?

    /// - Parameter overrides: the values that variants give the setting.
    init(_ setting: DeclaredSetting, overrides: [JSONValue]) {
        self.setting = setting
        (type, literal) = Self.typed(setting)
        noteLosses()
        if let enumeration = SwiftEnumeration(setting, allowedValues, type) {
            self.enumeration = enumeration
            notes += enumeration.notes
            return
        }
        guard case .text = type else { return }
        var texts: Set<String> = []
        if let same = allowedValues.map(\.plainText).first(where: { !texts.insert($0).inserted }) {
            notes.append("has no enumeration in Swift, where two of its texts are equal: \(QuotedText(same)); omit one")
        }
        guard let expression = setting.pattern else { return }
        let whole = SearchPattern.whole(expression.pattern)
        let values = [setting.value] + allowedValues + offeredValues + overrides
        let isFit = values.allSatisfy {
            if case .string(let text) = $0 { SearchPattern.matches(whole, text) } else { true }
        }
        if isFit {
            pattern = whole
        } else {
            notes.append(
                "has a pattern that the app's regular expressions read differently, \(QuotedText(expression.pattern)); "
                    + "the app does not check it")
        }
    }

    private static func typed(_ setting: DeclaredSetting) -> (PropertyType, SwiftLiteral) {
        if let format = setting.format, format.fault(of: setting.value) == nil {
            return (.format(format), .constant(format.swiftType, SwiftLiteral(setting.value)))
        }
        let json = (PropertyType.json, SwiftLiteral(setting.value))
        switch (setting.type ?? setting.value.typeName, setting.value) {
        case ("boolean", .boolean(let flag)): return (.boolean, .source(flag ? "true" : "false"))
        case ("integer", .number(let number)):
            return SwiftLiteral.integer(number).map { (.integer, .source($0)) } ?? json
        case ("number", .number(let number)):
            return SwiftLiteral.floating(number).map { (.number, .source($0)) } ?? json
        case ("string", .string(let text)): return (.text, .source(SwiftLiteral.text(text)))
        case ("array", .array(let elements)):
            let areTexts = !elements.isEmpty && elements.allSatisfy { if case .string = $0 { true } else { false } }
            return areTexts ? (.texts, SwiftLiteral(setting.value)) : json
        default: return json
        }
    }

    /// The default, where the setting's own enumeration has a name.
    func value(_ enumeration: String?) -> SwiftLiteral { caseSource(setting.value, enumeration) ?? literal }

    private func caseSource(_ value: JSONValue, _ name: String?) -> SwiftLiteral? {
        guard let name, let member = enumeration?.cases.first(where: { $0.value.isEquivalent(to: value) })
        else { return nil }
        return .source("\(name).\(SwiftName.source(member.name))")
    }

    /// `: JSONValue` if the literal does not have that type, and the name of any type of another module.
    var annotation: String {
        switch type {
        case .json: ": JSONValue"
        case .format(let format): ": \(format.swiftType)"
        case .boolean, .integer, .number, .text, .texts: ""
        }
    }

    var documentation: String {
        [setting.title, setting.description, setting.unit.map { "Unit: \($0)" }].compactMap(\.self)
            .joined(separator: "\n")
    }

    /// - Parameter enumeration: the name of the setting's own enumeration.
    func arguments(_ enumeration: String?) -> [(label: String?, value: SwiftLiteral)] {
        var arguments: [(label: String?, value: SwiftLiteral)] = [(nil, .source(SwiftLiteral.text(setting.name)))]
        if let range { arguments.append(("in", .source(range))) }
        if setting.allowed != nil {
            arguments.append(("choices", choices(allowedValues, enumeration)))
        } else if !offeredValues.isEmpty {
            arguments.append(("suggestions", choices(offeredValues, enumeration)))
        }
        if let pattern { arguments.append(("matching", .source(SwiftLiteral.text(pattern)))) }
        let texts = [("title", setting.title), ("description", setting.description), ("unit", setting.unit)]
        for (label, text) in texts {
            if let text, !text.isEmpty { arguments.append((label, .source(SwiftLiteral.text(text)))) }
        }
        if let control = setting.presentation.control { arguments.append(("control", .source(".\(control.rawValue)"))) }
        if let icons = setting.icons { arguments.append(("icons", .source(".\(icons.rawValue)"))) }
        return arguments
    }

    private var range: String? {
        func bound(_ number: JSONNumber?, _ rule: FloatingPointRoundingRule) -> String? {
            switch type {
            case _ where enumeration != nil: nil
            case .integer: number.flatMap { Self.wholeBound($0, rule) }
            case .number: number.flatMap(SwiftLiteral.floating)
            case .boolean, .text, .texts, .json, .format: nil
            }
        }
        return switch (bound(setting.minimum, .up), bound(setting.maximum, .down)) {
        case (let minimum?, let maximum?): "\(minimum)...\(Self.operand(maximum))"
        case (let minimum?, nil): "\(Self.operand(minimum))..."
        case (nil, let maximum?): "...\(Self.operand(maximum))"
        case (nil, nil): nil
        }
    }

    /// A bound of whole numbers. Returns `nil` if every `Int` satisfies it.
    private static func wholeBound(_ number: JSONNumber, _ rule: FloatingPointRoundingRule) -> String? {
        SwiftLiteral.integer(number) ?? Int(exactly: number.double.rounded(rule)).map(String.init)
    }

    /// A number as an operand, in parentheses if its sign would join the operator before it.
    private static func operand(_ number: String) -> String { number.hasPrefix("-") ? "(\(number))" : number }

    private var allowedValues: [JSONValue] {
        var values: [JSONValue] = []
        for value in setting.allowed ?? []
        where isPossible(value) && !values.contains(where: { $0.isEquivalent(to: value) }) { values.append(value) }
        return values
    }

    private var offeredValues: [JSONValue] { (setting.choices ?? []).map(\.value).filter(isPossible) }

    private func choices(_ values: [JSONValue], _ enumeration: String?) -> SwiftLiteral {
        let choices = values.map { value -> (label: String, literal: SwiftLiteral) in
            let label = setting.label(of: value) ?? value.plainText
            if let source = caseSource(value, enumeration) { return (label, source) }
            if case .format(let format) = type { return (label, .constant(format.swiftType, SwiftLiteral(value))) }
            if case .number = type, case .number(let number) = value {
                return (label, SwiftLiteral.floating(number).map(SwiftLiteral.source) ?? SwiftLiteral(value))
            }
            return (label, SwiftLiteral(value))
        }
        // Several numbers may be the same Double.
        var written: Set<UTF8Key> = []
        let distinct = choices.filter { written.insert(UTF8Key($0.literal.line)).inserted }
        let areLabelled = setting.choices != nil && Set(distinct.map { UTF8Key($0.label) }).count == distinct.count
        return areLabelled ? .dictionary(distinct.map { ($0.label, $0.literal) }) : .array(distinct.map(\.literal))
    }

    private mutating func noteLosses() {
        for value in setting.allowed ?? [] {
            let text = PrintableText(value.canonicalText).description
            let shown = text.count > 40 ? text.prefix(40) + "…" : text
            if !hasType(value) {
                notes.append("cannot be \(shown) in Swift, though the definitions allow it")
            } else if case .number = type, case .number(let number) = value, !SwiftLiteral.isExact(number) {
                notes.append("can be \(shown) only as \(number.double) in Swift")
            }
        }
    }

    private func isPossible(_ value: JSONValue) -> Bool {
        guard hasType(value) else { return false }
        switch (type, value) {
        case (.integer, .number(let number)), (.number, .number(let number)): return isInRange(number)
        case (.text, .string(let text)): return setting.pattern?.matches(text) != false
        default: return true
        }
    }

    /// Whether the property's type can represent a value, perhaps rounded.
    private func hasType(_ value: JSONValue) -> Bool {
        switch (type, value) {
        case (.boolean, .boolean), (.json, _), (.text, .string): true
        case (.format(let format), _): format.fault(of: value) == nil
        case (.integer, .number(let number)): SwiftLiteral.integer(number) != nil
        case (.number, .number(let number)): number.double.isFinite
        case (.texts, .array(let elements)): elements.allSatisfy { if case .string = $0 { true } else { false } }
        default: false
        }
    }

    private func isInRange(_ number: JSONNumber) -> Bool {
        if let minimum = setting.minimum, number.decimal < minimum.decimal { return false }
        if let maximum = setting.maximum, maximum.decimal < number.decimal { return false }
        return true
    }
}

extension SettingFormat {
    var swiftType: String {
        switch self {
        case .date, .dateTime: "Date"
        case .geoPoint: "GeoPoint"
        case .file: "ConfigurationFile"
        case .bytes: "Data"
        }
    }
}
