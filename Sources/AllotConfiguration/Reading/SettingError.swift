/// The reason why a setting cannot be read as a type.
public struct SettingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of fault.
    public enum Kind: Sendable, Hashable {
        /// The configuration has no such section.
        case noSection
        /// The section has no such setting.
        case noSetting
        /// The setting's value does not have the requested type.
        case mismatch(SettingValueError)
    }

    /// The kind of fault.
    public let kind: Kind
    /// The name of the section.
    public let section: String
    /// The name of the setting; `nil` for a whole section.
    public let setting: String?
    let expected: String

    /// Which setting, what is wrong with it, and what to do.
    public var description: String {
        let place = PrintableText(setting.map { "\(section).\($0)" } ?? section)
        let fix = "expected \(expected); correct the name, define the setting, or read it with a default"
        return switch kind {
        case .noSection: "\(place): the configuration has no section \(QuotedText(section)), \(fix)"
        case .noSetting: "\(place): the section has no such setting, \(fix)"
        case .mismatch(let error):
            "\(place)\(error.path.isEmpty ? ": " : "")\(error);"
                + " correct the value in the definitions, or read it as another type"
        }
    }
}

/// The reason why a JSON value does not have a type.
public struct SettingValueError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A step from a value to one in it.
    public enum Step: Sendable, Hashable, CustomStringConvertible {
        /// To the member of an object: its name.
        case member(String)
        /// To the element of an array: its index, from 0.
        case element(Int)

        /// `.color` or `[3]`.
        public var description: String {
            switch self {
            case .member(let name): ".\(PrintableText(name))"
            case .element(let index): "[\(index)]"
            }
        }
    }

    /// The place of the fault in the value; empty for the value itself.
    package let path: [Step]
    package let expected: String
    /// The value at that place; `nil` for a missing member.
    package let found: JSONValue?

    /// Creates an error.
    public init(expected: String, found: JSONValue?, path: [Step] = []) {
        (self.path, self.expected, self.found) = (path, expected, found)
    }

    /// The error from the point of view of the value that contains the faulty one.
    public func inside(_ step: Step) -> SettingValueError {
        SettingValueError(expected: expected, found: found, path: [step] + path)
    }

    /// `[3].size: expected a whole number, found the number 10.5`.
    public var description: String {
        let place = path.isEmpty ? "" : "\(path.map(\.description).joined()): "
        return "\(place)expected \(expected), found \(Self.summary(of: found))"
    }

    private static func summary(of value: JSONValue?) -> String {
        switch value {
        case nil: "nothing"
        case .null?: "null"
        case .boolean(let flag)?: "\(flag)"
        case .number(let number)? where number.text.utf8.count > QuotedText.limit:
            "the number \(number.text.prefix(QuotedText.limit))…"
        case .number(let number)?: "the number \(number.text)"
        case .string(let text)?: "the text \(QuotedText(text))"
        case .array(let elements)?: "an array of \(elements.count)"
        case .object(let object)?: "an object of \(object.members.count)"
        }
    }
}
