import Foundation
import Testing

/// A form of a page, as a browser reads it and sends it.
struct PageForm {
    /// The items in the order of the page.
    var items: [(name: String, value: String)] = []

    /// Reads the form whose start tag has an attribute, such as `aria-label="Token"`.
    init(_ attribute: String, in page: String) throws {
        let start = try #require(page.range(of: attribute), "there is no such form")
        let end = try #require(page.range(of: "</form>", range: start.upperBound..<page.endIndex))
        let control = /<input([^>]*)>|<select([^>]*)>([\s\S]*?)<\/select>|<textarea([^>]*)>\n?([\s\S]*?)<\/textarea>/
            .matchingSemantics(.unicodeScalar)
        for match in page[start.upperBound..<end.lowerBound].matches(of: control) {
            let (_, input, select, options, area, text) = match.output
            let tag = try #require(input ?? select ?? area)
            let name = try #require(try Self.attribute("name", of: tag))
            let value: String?
            if let options {
                value = try Self.chosen(options)
            } else if let text {
                value = try Self.decoded(text)
            } else {
                value = try Self.attribute("value", of: tag)
            }
            items.append((name, value ?? ""))
        }
    }

    /// The value of an item.
    subscript(name: String) -> String? {
        get { items.last { $0.name == name }?.value }
        set {
            guard let index = items.lastIndex(where: { $0.name == name }) else { return }
            items[index].value = newValue ?? ""
        }
    }

    /// What is sent: every byte percent-encoded, and line feeds as browsers send them.
    var encoded: String {
        items.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value.replacing("\n", with: "\r\n")))" }
            .joined(separator: "&")
    }

    /// A text of a path or a query, every byte percent-encoded.
    static func encoded(_ text: String) -> String {
        text.utf8.map { String(format: "%%%02X", $0) }.joined()
    }

    /// The value of the option that is selected, else of the first.
    private static func chosen(_ options: Substring) throws -> String? {
        let option = /<option([^>]*)>/.matchingSemantics(.unicodeScalar)
        let tags = options.matches(of: option).map { $0.output.1 }
        guard let tag = tags.first(where: { $0.hasSuffix(" selected") }) ?? tags.first else { return nil }
        return try attribute("value", of: tag)
    }

    /// The value of an attribute. Returns `nil` if the tag does not have it.
    private static func attribute(_ name: String, of tag: Substring) throws -> String? {
        let pattern = try Regex(" \(name)=\"([^\"]*)\"").matchingSemantics(.unicodeScalar)
        guard let match = tag.firstMatch(of: pattern), let value = match.output[1].substring else { return nil }
        return try decoded(value)
    }

    /// A text without references to characters.
    private static func decoded(_ text: Substring) throws -> String {
        let names: [Substring: String] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'"]
        let reference = /&(?:#x([0-9A-F]+)|([a-z]+|#39));/.matchingSemantics(.unicodeScalar)
        let decoded = try text.replacing(reference) { match -> String in
            if let name = match.output.2 { return try #require(names[name]) }
            let value = match.output.1.flatMap { UInt32($0, radix: 16) }.flatMap { Unicode.Scalar($0) }
            return String(try #require(value))
        }
        return String(decoded)
    }
}
