/// The problems of one file, collected while it is read. `Sendable`.
///
/// The list is bounded, so that a large file with errors everywhere costs no more than its own size.
package struct ProblemList: Sendable {
    /// The number of problems of one file that are listed; one more says that there are others.
    package static let limit = 1000

    /// The file as it should be shown.
    package let file: String

    /// The problems so far, in the order in which they were found.
    package private(set) var problems: [DefinitionProblem] = []

    /// Makes an empty list for a file.
    package init(file: String) {
        self.file = file
    }

    /// Whether the list is full. Further problems are dropped.
    package var isFull: Bool { problems.count > Self.limit }

    /// Adds an error; `message` says what is wrong and the fix.
    package mutating func addError(
        _ message: @autoclosure () -> String, at position: SourcePosition?, path: SourcePath = SourcePath()
    ) {
        add(.error, message(), at: position, path: path)
    }

    /// Adds a warning; `message` says what is doubtful and what to do.
    package mutating func addWarning(
        _ message: @autoclosure () -> String, at position: SourcePosition?, path: SourcePath = SourcePath()
    ) {
        add(.warning, message(), at: position, path: path)
    }

    private mutating func add(
        _ severity: DefinitionProblem.Severity, _ message: @autoclosure () -> String, at position: SourcePosition?,
        path: SourcePath
    ) {
        guard !isFull else { return }
        guard problems.count < Self.limit else {
            problems.append(
                DefinitionProblem(
                    severity: .error, file: file, position: nil,
                    message: "more than \(Self.limit) problems, so the rest is not listed; fix these first", path: nil))
            return
        }
        problems.append(
            DefinitionProblem(
                severity: severity, file: file, position: position, message: message(),
                path: path.isRoot ? nil : path.description))
    }
}
