/// The problems of one file, collected while it is read. `Sendable`.
///
/// The list is bounded, so that a large file with errors everywhere costs no more than its own size.
package struct ProblemList: Sendable {
    /// The number of problems of one file that are listed; one more says that there are others.
    static let limit = 1000

    /// The file as it should be shown.
    let file: String

    /// The problems so far, in the order in which they were found.
    package private(set) var problems: [DefinitionProblem] = []

    init(file: String) {
        self.file = file
    }

    /// Whether the list is full. Further problems are dropped.
    var isFull: Bool { problems.count > Self.limit }

    /// Adds a problem; `message` says what is wrong and the fix.
    mutating func add(
        _ message: @autoclosure () -> String, _ severity: DefinitionProblem.Severity = .error,
        at position: SourcePosition?, path: SourcePath = SourcePath()
    ) {
        guard !isFull else { return }
        problems.append(
            problems.count < Self.limit
                ? DefinitionProblem(
                    severity: severity, file: file, position: position, message: message(),
                    path: path.isRoot ? nil : path.description)
                : DefinitionProblem(
                    file: file, "more than \(Self.limit) problems, so the rest is not listed; fix these first"))
    }
}
