/// The rule by which the names of a unit's attributes are joined to the unit's name, and their values to the unit's ID:
/// by `|`. In each part `\` is written as `\\`, and `|` as `\|`, so that no two lists give the same text.
package enum CompositeUnit {
    package static let mostParts = 8
    package static let separator = UInt8(ascii: "|")
    package static let escape = UInt8(ascii: "\\")

    /// Whether a unit's name is that of several attributes. No single attribute with a `|` in its name can be a unit.
    package static func isName(_ name: String) -> Bool { name.utf8.contains(separator) }

    /// Joins texts. The text of a list of one is that text.
    package static func join(_ parts: [String]) -> String {
        guard parts.count > 1 else { return parts.first ?? "" }
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes.append(separator) }
            for byte in part.utf8 {
                if byte == separator || byte == escape { bytes.append(escape) }
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The parts of a joined text; of a text without a `|` the text itself.
    package static func parts(of text: String) -> [String] {
        guard isName(text) else { return [text] }
        var parts: [[UInt8]] = [[]]
        var isEscaped = false
        for byte in text.utf8 {
            if !isEscaped, byte == separator {
                parts.append([])
            } else if isEscaped || byte != escape {
                parts[parts.count - 1].append(byte)
            }
            isEscaped = !isEscaped && byte == escape
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }
}
