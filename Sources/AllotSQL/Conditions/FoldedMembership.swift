import Allot
import AllotConfiguration

/// Membership in a list of texts in any case.
///
/// Engines' own lower-case functions follow different editions of Unicode, and some follow the language. So each
/// character that Allot folds to one of the list's is named, and no other is touched: that is enough, because a text with any other
/// character is none of the list.
struct FoldedMembership {
    /// The texts, folded.
    private let texts: [String]
    private let from: String
    private let to: String
    /// "i" with a dot above, which the one capital of two lower-case characters folds to.
    private static let dottedI = "i\u{307}"

    init(_ literals: [String]) {
        texts = literals.map { String(decoding: CaseFolding.folded(Array($0.utf8).span), as: UTF8.self) }
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

    func condition(_ text: String, _ syntax: some SQLSyntax) throws(Unsupported) -> SQLCondition {
        var folded = text
        if texts.contains(where: { UTF8Search.contains($0, Self.dottedI) }) {
            folded = syntax.replaced(folded, try syntax.literal("\u{130}"), with: try syntax.literal(Self.dottedI))
        }
        if !from.isEmpty {
            folded = syntax.translated(folded, from: try syntax.literal(from), to: try syntax.literal(to))
        }
        return .test("\(folded) IN (\(try AudienceTranslator.list(texts, syntax)))")
    }

    /// By character those that fold to it alone.
    private static let capitals: [Unicode.Scalar: [Unicode.Scalar]] = {
        var capitals: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        // All letters with cases are on the first two planes.
        for value in UInt32(0)..<0x20000 {
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenLowercased else { continue }
            let folded = Array(scalar.properties.lowercaseMapping.unicodeScalars)
            if folded.count == 1 { capitals[folded[0], default: []].append(scalar) }
        }
        return capitals
    }()
}
