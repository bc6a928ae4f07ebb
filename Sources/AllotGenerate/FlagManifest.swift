import AllotConfiguration
import AllotCore

/// The settings of a base as OpenFeature's flag manifest, from which its command line generates accessors in other
/// languages. A flag's key is `Section.Setting`, its default the base value; losses are noted.
package struct FlagManifest: Sendable, GeneratedFile {
    package let text: String
    package let notes: [String]

    package static let schema =
        "https://raw.githubusercontent.com/open-feature/cli/refs/heads/main/schema/v0/flag-manifest.json"

    package init(_ settings: [DeclaredSetting]) {
        var flags = JSONObject()
        var notes: [String] = []
        var accessors: [String: String] = [:]
        for setting in settings {
            let key = SettingPath.text([setting.section, setting.name])
            let shown = PrintableText(key).description
            let flag = ManifestFlag(setting)
            notes += flag.notes.map { "\(shown) \($0)" }
            guard let json = flag.json else { continue }
            flags[key] = json
            if let other = accessors.updateValue(shown, forKey: Self.accessor(key)) {
                notes.append(
                    "\(other) and \(shown) differ in case or punctuation only, and OpenFeature's generators give them "
                        + "one name; rename one of them")
            }
        }
        let manifest: JSONValue = ["$schema": .string(Self.schema), "flags": .object(flags)]
        self.notes = notes
        text = manifest.prettyText + "\n"
    }

    /// The part of a key that the generators keep: letters and digits, in a case of their own.
    private static func accessor(_ key: String) -> String {
        String(
            String.UnicodeScalarView(key.unicodeScalars.filter { $0.properties.isAlphabetic || SwiftName.isDigit($0) })
        )
        .lowercased()
    }
}

struct ManifestFlag {
    /// The flag; `nil` if the manifest cannot represent it.
    private(set) var json: JSONValue?
    /// The losses, each to follow the setting's name in a sentence.
    private(set) var notes: [String] = []
    /// The integers that every reader of JSON has exactly: those of an IEEE double.
    private static let exactIntegers = -(1 << 53)...(1 << 53)

    init(_ setting: DeclaredSetting) {
        guard let (type, value) = typed(setting) else { return }
        var flag: JSONObject = ["flagType": .string(type), "defaultValue": value]
        let description = setting.description ?? setting.title ?? ""
        if !description.isEmpty { flag["description"] = .string(description) }
        json = .object(flag)
    }

    private mutating func typed(_ setting: DeclaredSetting) -> (String, JSONValue)? {
        switch (setting.type ?? setting.value.typeName, setting.value) {
        case (_, .boolean): return ("boolean", setting.value)
        case (_, .string): return ("string", setting.value)
        case (_, .object):
            if let number = inexactInteger(in: setting.value) {
                notes.append("has \(number.text), which many readers of JSON round; make it a text")
            }
            return ("object", setting.value)
        case ("integer", .number(let number)): return integer(number).map { ("integer", $0) }
        case (_, .number(let number)): return float(number) ? ("float", setting.value) : nil
        case (_, .array):
            leaveOut("is a list, and a flag cannot be one", fix: "make it an object with the list as a member")
        case (_, .null):
            leaveOut(
                "is null in the base, which has neither a type nor a default for a flag",
                fix: "give it a base value of the type that its overrides have")
        }
        return nil
    }

    private mutating func integer(_ number: JSONNumber) -> JSONValue? {
        guard let value = SwiftLiteral.integer(number).flatMap({ Int($0) }), Self.exactIntegers.contains(value) else {
            leaveOut(
                "is \(number.text), which many readers of JSON round",
                fix: "make it a text, or at most 9007199254740992")
            return nil
        }
        if Int32(exactly: value) == nil {
            notes.append("is \(value), which Java and C# cannot read as an integer; they need a number of 32 bits")
        }
        return .number(JSONNumber(value))
    }

    private mutating func float(_ number: JSONNumber) -> Bool {
        guard number.double.isFinite else {
            leaveOut("is \(number.text), which is out of range for a float", fix: "make it a text")
            return false
        }
        if !SwiftLiteral.isExact(number) {
            notes.append("is \(number.text), which a float has only as \(number.double)")
        }
        return true
    }

    /// An integer somewhere in a value that is beyond those that every reader has exactly; `nil` if there is none.
    private func inexactInteger(in value: JSONValue) -> JSONNumber? {
        switch value {
        case .number(let number) where number.decimal.isWhole:
            SwiftLiteral.integer(number).flatMap { Int($0) }.map(Self.exactIntegers.contains) == true ? nil : number
        case .array(let elements): elements.lazy.compactMap(inexactInteger).first
        case .object(let object): object.members.lazy.compactMap { inexactInteger(in: $0.value) }.first
        default: nil
        }
    }

    private mutating func leaveOut(_ reason: String, fix: String) {
        notes.append("\(reason); it is left out of the manifest: \(fix)")
    }
}
