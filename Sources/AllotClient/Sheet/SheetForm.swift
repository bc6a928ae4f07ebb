import AllotConfiguration
import Foundation

/// A form that the sheet sends to itself, with numbers for settings, experiments and variants.
struct SheetForm {
    enum Item {
        static let action = "action", setting = "setting", experiment = "experiment", variant = "variant"
        static let value = "value", notation = "as"
    }

    enum Action {
        static let set = "set", reset = "reset", choose = "choose", resetAll = "reset-all"
    }

    static let json = "json"

    private let items: [String: String]

    /// Reads `name=value&…`, percent-encoded; the last of several items counts. Returns `nil` if it is not valid.
    init?(_ bytes: [UInt8]) {
        var items: [String: String] = [:]
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0]), let value = Self.decoded(pair.dropFirst().first ?? []) else {
                return nil
            }
            // Browsers send line feeds so.
            items[name] = value.replacing("\r\n", with: "\n")
        }
        self.items = items
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        let encoded = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: encoded, as: UTF8.self).removingPercentEncoding
    }

    subscript(name: String) -> String { items[name] ?? "" }
    /// Whether an item contains U+0000, which no form of the page sends: it is an escape in JSON.
    var containsNull: Bool { items.contains { $0.key.utf8.contains(0) || $0.value.utf8.contains(0) } }
    var isJSON: Bool { self[Item.notation] == Self.json }

    /// The text of a setting's value, perhaps composed of its members' items. Returns `nil` if the form has neither.
    func text(of declaration: SettingDeclaration) -> String? {
        guard let format = declaration.format else { return items[Item.value] }
        let texts = format.formMembers.compactMap { member in
            items[member.rawValue].map { (member: member, text: $0) }
        }
        if texts.isEmpty { return items[Item.value].map { isJSON ? $0 : format.text(ofInput: $0) } }
        return format.object(ofInputs: texts).map(JSONValue.object)?.canonicalText ?? "null"
    }

    func index(_ name: String, below count: Int) -> Int? {
        Int(self[name]).flatMap { (0..<count).contains($0) ? $0 : nil }
    }
}

struct SheetTextError: Error, CustomStringConvertible {
    let description: String
}

extension SettingDeclaration {
    var takesAnything: Bool { written(.boolean(true)) != nil && written(.string("")) != nil }

    /// The value of a text: the text itself, or the value in JSON, unless that could hide a mistake.
    func value(of text: String, isJSON: Bool) throws(SheetTextError) -> JSONValue {
        let itself = JSONValue.string(text)
        guard isJSON else { return text.isEmpty && format == .dateTime ? .null : itself }
        let json: JSONValue
        do throws(JSONParsingError) {
            json = try JSONValue(parsing: Array(text.utf8))
        } catch {
            // What the type expects says more than a place, unless brackets or quotes show that JSON was meant.
            let isMeant = text.utf8.first.map { "[{\"".utf8.contains($0) } ?? false
            if takesAnything || isMeant && written(itself) == nil {
                throw SheetTextError(description: "the text is not JSON, in which texts are in quotes: \(error)")
            }
            return itself
        }
        return written(json) == nil && written(itself) != nil ? itself : json
    }
}
