import AllotConfiguration
import AllotCore

extension RegularExpression {
    /// The pattern in the syntax of an engine that is not RE2, which occurs in the same texts.
    func text(for syntax: PatternSyntax) throws(Unsupported) -> String {
        do throws(PortablePattern.Refusal) {
            return try PortablePattern(self).text(for: syntax)
        } catch {
            throw Unsupported("the pattern \(QuotedText(pattern)) uses \(error.reason)")
        }
    }
}
