import AllotConfiguration

/// Text of definitions and units, made fit for pages.
package enum PageText {
    /// The text in HTML: markup and hidden characters are escaped, line feeds stay.
    package static func escaped(_ text: String) -> String {
        // Most texts are plain.
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x20..<0x7F, 0x0A: !Self.isMarkup(byte)
            default: false
            }
        }
        if isPlain { return text }
        var result = ""
        // Not by characters: a carriage return with a line feed is one.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if index > 0 { result += "\n" }
            for scalar in PrintableText(String(Substring(line))).description.unicodeScalars {
                switch scalar {
                case "&": result += "&amp;"
                case "<": result += "&lt;"
                case ">": result += "&gt;"
                case "\"": result += "&quot;"
                case "'": result += "&#39;"
                default: result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    private static func isMarkup(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "\"")
            || byte == UInt8(ascii: "'")
    }

    /// The text with its line feeds shown as hidden characters are: for IDs and names.
    package static func oneLine(_ text: String) -> String {
        PrintableText(text).description
    }

    /// A text for a row of a list: its first line, cut if it is long.
    package static func short(_ text: String, atMost limit: Int = 120) -> String {
        let line = text.prefix { !$0.isNewline }
        let isWhole = line.endIndex == text.endIndex
        let shown = line.prefix(limit)
        return shown.endIndex == line.endIndex && isWhole ? String(shown) : shown.prefix(limit - 1) + "…"
    }
}
