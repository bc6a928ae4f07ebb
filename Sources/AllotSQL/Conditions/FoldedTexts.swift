import AllotConfiguration
import AllotCore

/// Literals that a text is compared with in any case. The engines' own functions follow different versions of Unicode,
/// so the statement replaces exactly the characters that Allot folds to a character of the literals.
struct FoldedTexts {
    let texts: [String]
    private let from: String
    private let to: String
    /// "i" with a dot above: the fold of "İ", the only capital that folds to two characters.
    private static let dottedI = "i\u{307}"

    init(_ literals: [String]) {
        texts = literals.map(CaseFolding.text)
        var from = ""
        var to = ""
        for scalar in Set(texts.flatMap { Array($0.unicodeScalars) }).sorted() {
            for capital in Self.capitals[scalar] ?? [] {
                from.unicodeScalars.append(capital)
                to.unicodeScalars.append(scalar)
            }
        }
        self.from = from
        self.to = to
    }

    /// A text, folded as far as the literals need it. A part may begin or end within the two characters of "İ".
    func applied(to text: String, searchesParts: Bool, _ syntax: any SQLSyntax) throws(Unsupported) -> String {
        var folded = text
        let needsDottedI = texts.contains { text in
            searchesParts
                ? text.unicodeScalars.contains(where: Self.dottedI.unicodeScalars.contains)
                : text.utf8.contains(Self.dottedI.utf8)
        }
        if needsDottedI {
            folded = syntax.replaced(folded, try syntax.literal("\u{130}"), with: try syntax.literal(Self.dottedI))
        }
        if !from.isEmpty {
            folded = syntax.translated(folded, from: try syntax.literal(from), to: try syntax.literal(to))
        }
        return folded
    }

    /// By character the capitals that fold to exactly that character.
    private static let capitals: [Unicode.Scalar: [Unicode.Scalar]] = {
        var capitals: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        // All letters with case are in the first two planes.
        for value in UInt32(0)..<0x20000 {
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenLowercased else { continue }
            let folded = Array(scalar.properties.lowercaseMapping.unicodeScalars)
            if folded.count == 1 { capitals[folded[0], default: []].append(scalar) }
        }
        return capitals
    }()
}
