import TestSupport
import Testing

extension Outcome {
    /// Expects success and exactly this on standard output.
    func expectOutput(_ expected: String, at location: SourceLocation = #_sourceLocation) {
        #expect(text == expected, sourceLocation: location)
        #expect(status == 0, sourceLocation: location)
    }

    /// Expects an exit status, unless it is `nil`, and on standard output texts somewhere, at its start and at its end,
    /// and others nowhere.
    func expectText(
        _ parts: String..., start: String = "", end: String = "", without others: [String] = [],
        status: Int32? = 0, at location: SourceLocation = #_sourceLocation
    ) {
        expect(text, parts, (start, end), without: others, status, location)
    }

    /// Expects the same of standard output as one line, with every run of white space as one space.
    func expectFlatText(
        _ parts: String..., start: String = "", end: String = "", without others: [String] = [],
        status: Int32? = 0, at location: SourceLocation = #_sourceLocation
    ) {
        expect(flatText, parts, (start, end), without: others, status, location)
    }

    /// Expects the same of standard error.
    func expectErrors(
        _ parts: String..., start: String = "", end: String = "", without others: [String] = [],
        status: Int32? = 1, at location: SourceLocation = #_sourceLocation
    ) {
        expect(errors, parts, (start, end), without: others, status, location)
    }

    private func expect(
        _ found: String, _ parts: [String], _ ends: (String, String), without others: [String], _ expected: Int32?,
        _ location: SourceLocation
    ) {
        for part in parts { #expect(found.contains(part), "\(text)\(errors)", sourceLocation: location) }
        #expect(found.hasPrefix(ends.0), "\(text)\(errors)", sourceLocation: location)
        #expect(found.hasSuffix(ends.1), "\(text)\(errors)", sourceLocation: location)
        for other in others { #expect(!found.contains(other), "\(text)\(errors)", sourceLocation: location) }
        if let expected { #expect(status == expected, "\(text)\(errors)", sourceLocation: location) }
    }

    /// Expects a failure, or what a command that judges has found, with one line that says everything.
    func expectFailure(_ message: String, status expected: Int32 = 1, at location: SourceLocation = #_sourceLocation) {
        #expect(errors == "allot: \(message)\n", sourceLocation: location)
        #expect(text == "", sourceLocation: location)
        #expect(status == expected, sourceLocation: location)
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
