import AllotConfiguration
import Yams

/// An error that Yams threw, in words that say where the mistake is and how to put it right. `Sendable`.
///
/// libyaml names what its scanner expected, in its own terms, and often at the end of the file; here the position is
/// that of the mistake where libyaml remembers it.
struct YAMLFailure: Sendable {
    /// Where the mistake is.
    let position: SourcePosition?

    /// Where reading stopped; what an outline says of the text from here on may be wrong. Nil if all was read.
    let stop: SourcePosition?

    /// What is wrong, and the fix.
    let message: String

    /// Explains an error.
    ///
    /// - Parameters:
    ///   - error: What Yams threw.
    ///   - text: The text as it was written.
    ///   - marks: The marks in the text that Yams was given, nil if it had none.
    init(_ error: any Error, in text: SourceText, marks: YAMLKeyMarks?) {
        func place(_ mark: Mark) -> SourcePosition {
            let position = SourcePosition(mark)
            return text.clamped(marks?.unmarked(position) ?? position)
        }
        switch error {
        case YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _),
            YamlError.composer(let context, let problem, let mark, _):
            let explanation = YAMLExplanation(
                problem: problem, context: context?.text ?? "", start: context.map { place($0.mark) },
                stop: place(mark), text)
            (position, stop, message) = (explanation.position, place(mark), explanation.message)
        case YamlError.duplicatedKeysInMapping(let names, let context):
            (position, stop) = (place(context.mark), nil)
            message = "the key \(QuotedText(names.first ?? "")) is there twice; keep one of the two"
        default:
            (position, stop) = (nil, nil)
            message = "the file cannot be read as YAML (\(QuotedText("\(error)"))); simplify it"
        }
    }
}

extension SourcePosition {
    /// The position of a mark of Yams, which counts as this type does.
    init(_ mark: Mark) {
        self.init(line: mark.line, column: mark.column)
    }
}
