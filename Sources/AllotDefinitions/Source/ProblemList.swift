import AllotConfiguration

/// The problems of one file, collected while it is read. `Sendable`. The list is bounded, so that a large file with
/// errors everywhere costs no more than its own size.
package struct ProblemList: Sendable {
    /// The number of errors of one file that are listed, and of warnings; one more of each says that there are others.
    static let limit = 1000
    let file: String
    package private(set) var problems: [DefinitionProblem] = []
    private var counts: [DefinitionProblem.Severity: Int] = [:]

    init(file: String) { self.file = file }

    func isFull(of severity: DefinitionProblem.Severity) -> Bool { counts[severity, default: 0] > Self.limit }

    /// Adds a problem; `message` has the fault and the fix.
    mutating func add(
        _ message: @autoclosure () -> String, _ severity: DefinitionProblem.Severity = .error,
        at position: SourcePosition?, path: SourcePath = SourcePath()
    ) {
        guard !isFull(of: severity) else { return }
        counts[severity, default: 0] += 1
        problems.append(
            isFull(of: severity)
                ? DefinitionProblem(
                    severity, file: file,
                    "more than \(counted(Self.limit, severity.rawValue)), so the rest is not listed; fix these first")
                : DefinitionProblem(
                    severity: severity, file: file, position: position, message: message(),
                    path: path.isRoot ? nil : path.description))
    }
}
