import Allot

/// Placeholder until the translator is merged.
enum TranslatedPattern {
    enum Syntax { case java, postgresql }

    static func text(of expression: RegularExpression, for syntax: Syntax) throws(Unsupported) -> String {
        expression.ignoresCase ? "(?i)" + expression.pattern : expression.pattern
    }
}
