import AllotConfiguration
import Yams

/// An error that Yams threw, in words that say where the mistake is and how to put it right. `Sendable`.
///
/// libyaml names what its scanner expected, in its own terms, and often at the end of the file; here the position is
/// that of the mistake where libyaml remembers it.
struct YAMLFailure: Sendable {
    /// Where the mistake is.
    let position: SourcePosition?

    /// Where reading stopped; what an outline says of the text from here on may be wrong.
    let stop: SourcePosition

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
        let context: YamlError.Context?
        let problem: String
        switch error {
        case YamlError.scanner(let errorContext, let errorProblem, let mark, _),
            YamlError.parser(let errorContext, let errorProblem, let mark, _),
            YamlError.composer(let errorContext, let errorProblem, let mark, _):
            (context, problem, stop) = (errorContext, errorProblem, place(mark))
        case YamlError.duplicatedKeysInMapping(let names, let errorContext):
            stop = SourcePosition(line: 1, column: 1)
            position = place(errorContext.mark)
            message = "the key \(QuotedText(names.first ?? "")) is there twice; keep one of the two"
            return
        default:
            stop = SourcePosition(line: 1, column: 1)
            (position, message) = (nil, "the file cannot be read as YAML (\(QuotedText("\(error)"))); simplify it")
            return
        }
        let start = context.map { place($0.mark) }
        let explanation = YAMLExplanation(
            problem: problem, context: context?.text ?? "", start: start, stop: stop, text)
        (position, message) = (explanation.position, explanation.message)
    }
}

extension SourcePosition {
    /// The position of a mark of Yams, which counts as this type does.
    init(_ mark: Mark) {
        self.init(line: mark.line, column: mark.column)
    }
}
