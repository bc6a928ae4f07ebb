import TestSupport
import Testing

extension Outcome {
    /// Expects success and exactly this on standard output.
    func expectOutput(_ expected: String, at location: SourceLocation = #_sourceLocation) {
        #expect(text == expected, sourceLocation: location)
        #expect(status == 0, sourceLocation: location)
    }

    /// Expects an exit status, unless it is `nil`, texts somewhere on standard output, and others nowhere on it.
    func expectText(
        _ parts: String..., without others: [String] = [], status expected: Int32? = 0,
        at location: SourceLocation = #_sourceLocation
    ) {
        expect(text, parts, without: others, status: expected, at: location)
    }

    /// Expects the same of standard output as one line, with every run of white space as one space.
    func expectFlatText(
        _ parts: String..., without others: [String] = [], status expected: Int32? = 0,
        at location: SourceLocation = #_sourceLocation
    ) {
        expect(flatText, parts, without: others, status: expected, at: location)
    }

    /// Expects the same of standard error.
    func expectErrors(
        _ parts: String..., without others: [String] = [], status expected: Int32? = 1,
        at location: SourceLocation = #_sourceLocation
    ) {
        expect(errors, parts, without: others, status: expected, at: location)
    }

    private func expect(
        _ found: String, _ parts: [String], without others: [String], status expected: Int32?,
        at location: SourceLocation
    ) {
        for part in parts { #expect(found.contains(part), "\(text)\(errors)", sourceLocation: location) }
        for other in others { #expect(!found.contains(other), "\(text)\(errors)", sourceLocation: location) }
        if let expected { #expect(status == expected, "\(text)\(errors)", sourceLocation: location) }
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
