import AllotConfiguration
import AllotCore
import AllotDefinitions

/// A form that changes, adds or removes a setting of the base.
package struct SettingForm: ChangeForm {
    package enum Operation: String, Sendable { case value, add, remove }

    package enum Item {
        package static let setting = "setting"
        static let value = "value"
        /// The names of the items with a value as routes write them.
        package static let values = [value, "{member}.\(value)"]
        static let operation = "operation", confirmation = "confirmation"
        static let section = "section", name = "name", type = "type", format = "format"
        static let minimum = "minimum", maximum = "maximum"
        static let pattern = "pattern", allowed = "enum", description = "description"
    }

    private let items: [UTF8Key: String]
    package let operation: Operation

    /// Reads the items of a form, the last of several with one name. Returns `nil` if neither the page nor the form
    /// names an operation.
    package init?(_ items: [(name: String, value: String)], as operation: Operation? = nil) {
        self.items = Dictionary(items.map { (UTF8Key($0.name), $0.value) }) { $1 }
        guard let operation = operation ?? Operation(rawValue: self.items[UTF8Key(Item.operation)] ?? "") else {
            return nil
        }
        self.operation = operation
    }

    subscript(name: String) -> String { items[UTF8Key(name)] ?? "" }
    package var setting: String { self[Item.setting] }
    package var confirmation: String { self[Item.confirmation] }

    /// The items with which the form can be sent again and confirmed.
    var confirmed: [(name: String, value: String)] {
        items.sorted { $0.key < $1.key }.map { (name: $0.key.text, value: $0.value) }
            .filter { $0.name != Item.confirmation }
    }

    /// The change in some definitions, and whether the setting has this value already.
    package func edit(in definitions: EditableDefinitions) throws -> (edit: ExaminedEdit, isUnchanged: Bool) {
        if operation == .add {
            let (section, name) = (self[Item.section], self[Item.name])
            guard !section.isEmpty, !name.isEmpty else {
                throw SettingTextError(description: "a new setting has a section and a name; fill in both")
            }
            return (try definitions.editing(section, name, .addition(declaration(section, name))), false)
        }
        guard let declared = definitions.loaded.definitions.setting(self[Item.setting]) else {
            let name = QuotedText(self[Item.setting])
            throw SettingTextError(description: "the files do not declare a setting \(name) any more")
        }
        if operation == .remove { return (try definitions.editing(declared.section, declared.name, .removal), false) }
        guard let typed = text(of: declared) else {
            throw SettingTextError(description: "the request lacks a setting or a value; send setting and value")
        }
        let value = try declared.value(ofText: typed)
        return (
            try definitions.editing(declared.section, declared.name, .value(value)),
            value.isEquivalent(to: declared.value)
        )
    }

    /// The text of the new value, composed of its members if the form has those. Returns `nil` if it has neither.
    package func text(of setting: DeclaredSetting) -> String? {
        setting.text(ofItem: Item.value) { items[UTF8Key($0)] }
    }

    private func declaration(
        _ section: String, _ name: String
    ) throws(SettingTextError) -> [(key: String, value: JSONValue)] {
        let (type, format) = (self[Item.type], self[Item.format])
        let setting = DeclaredSetting(
            section: section, name: name, value: .null, type: type.isEmpty ? nil : type,
            format: SettingFormat(rawValue: format), minimum: nil, maximum: nil, pattern: nil, allowed: nil)
        var declaration = [(key: "value", value: try setting.value(ofText: self[Item.value]))]
        for (item, name) in [(Item.type, type), (Item.format, format)] where !name.isEmpty {
            declaration.append((item, .string(name)))
        }
        for item in [Item.minimum, Item.maximum] where !self[item].isEmpty {
            guard let number = JSONNumber(self[item].filter { !$0.isWhitespace }) else {
                throw SettingTextError(description: "the \(item) \(QuotedText(self[item])) is not a number")
            }
            declaration.append((item, .number(number)))
        }
        if !self[Item.pattern].isEmpty { declaration.append((Item.pattern, .string(self[Item.pattern]))) }
        let lines = self[Item.allowed].split(separator: "\n")
        if !lines.isEmpty {
            var allowed: [JSONValue] = []
            for line in lines { allowed.append(try setting.value(ofText: String(line))) }
            declaration.append((Item.allowed, .array(allowed)))
        }
        if !self[Item.description].isEmpty { declaration.append((Item.description, .string(self[Item.description]))) }
        return declaration
    }
}
