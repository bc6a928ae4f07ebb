import TestSupport
import Testing

extension Outcome {
    /// Expects success and exactly this on standard output.
    func expectOutput(_ expected: String, at location: SourceLocation = #_sourceLocation) {
        #expect(text == expected, sourceLocation: location)
        #expect(status == 0, sourceLocation: location)
    }

    /// Expects a failure with one line that says everything, and nothing else.
    func expectFailure(_ message: String, at location: SourceLocation = #_sourceLocation) {
        #expect(errors == "allot: \(message)\n", sourceLocation: location)
        #expect(text == "", sourceLocation: location)
        #expect(status == 1, sourceLocation: location)
    }

    /// Expects a refusal of the command line: the message, perhaps help on the option, and the usage.
    func expectUsageError(_ message: String, at location: SourceLocation = #_sourceLocation) {
        #expect(errorLines.first == "Error: \(message)", sourceLocation: location)
        #expect(errorLines.dropFirst().contains { $0.hasPrefix("Usage: allot ") }, sourceLocation: location)
        #expect(errorLines.last?.hasSuffix("--help' for more information.") == true, sourceLocation: location)
        #expect(text == "", sourceLocation: location)
        #expect(status == 64, sourceLocation: location)
    }
}
