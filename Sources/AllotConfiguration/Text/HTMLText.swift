/// Text from outside in HTML, in elements and in attributes in quotes.
package enum HTMLText {
    /// The text in HTML, to be read: markup and hidden characters are escaped, line feeds stay.
    package static func escaped(_ text: String) -> String {
        if isPlain(text) { return text }
        var result = ""
        // Not by characters: a carriage return with a line feed is one.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if index > 0 { result += "\n" }
            for scalar in PrintableText(String(Substring(line)), atMost: .max).description.unicodeScalars {
                append(scalar, to: &result)
            }
        }
        return result
    }

    /// The text in HTML, as data that a form sends back: markup and hidden characters are references, which do not
    /// exist for U+0080 to U+009F. U+0000 and carriage returns, which no form can carry, are shown as in text to be
    /// read.
    package static func data(_ text: String) -> String {
        if isPlain(text) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n", "\u{80}"..."\u{9F}": result.unicodeScalars.append(scalar)
            case "\0", "\r": result += PrintableText(String(scalar)).description
            case _ where PrintableText.isHidden(scalar):
                result += "&#x\(String(scalar.value, radix: 16, uppercase: true));"
            default: append(scalar, to: &result)
            }
        }
        return result
    }

    /// Whether the text is its own HTML, as most texts are.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
            case 0x20..<0x7F, 0x0A: true
            default: false
            }
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to html: inout String) {
        switch scalar {
        case "&": html += "&amp;"
        case "<": html += "&lt;"
        case ">": html += "&gt;"
        case "\"": html += "&quot;"
        case "'": html += "&#39;"
        default: html.unicodeScalars.append(scalar)
        }
    }
}
