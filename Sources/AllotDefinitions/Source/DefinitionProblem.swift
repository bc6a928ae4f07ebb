import AllotConfiguration

/// An error or a warning about a definitions file: the fault, its place, and the fix. `Sendable`.
///
/// ```swift
/// let problem = DefinitionProblem(
///     severity: .error, file: "Experiments/checkout.yaml", position: SourcePosition(line: 14, column: 9),
///     message: "weight -1 is negative; a weight is 0 or more", path: "variants[1].weight")
/// print(problem)
/// ```
///
/// prints one line, as compilers do:
/// `Experiments/checkout.yaml:14:9: error: weight -1 is negative; a weight is 0 or more (variants[1].weight)`
public struct DefinitionProblem: Hashable, Sendable {
    /// Whether a problem prevents loading. `Sendable`.
    public enum Severity: String, Hashable, Sendable {
        /// The definitions cannot be used.
        case error
        /// The definitions can be used, but are probably not what was intended.
        case warning
    }

    /// Whether the problem prevents loading.
    public let severity: Severity
    /// The file, with its folder: `Experiments/checkout.yaml`.
    public let file: String
    /// The place in the file; `nil` if the problem is the file as a whole.
    public let position: SourcePosition?
    /// The fault and, after a semicolon, the fix; one line of text.
    public let message: String
    /// The path of the value that is wrong, `variants[1].weight`; `nil` if it has none.
    public let path: String?

    /// Makes a problem.
    public init(severity: Severity, file: String, position: SourcePosition?, message: String, path: String?) {
        (self.severity, self.file, self.position) = (severity, file, position)
        (self.message, self.path) = (message, path)
    }
}

extension DefinitionProblem {
    init(_ severity: Severity = .error, file: String, _ message: String) {
        self.init(severity: severity, file: file, position: nil, message: message, path: nil)
    }

    init(_ severity: Severity = .error, file: String, at field: Field, atKey: Bool = false, _ message: String) {
        self.init(
            severity: severity, file: file, position: atKey ? field.keyPosition : field.position, message: message,
            path: field.path.isRoot ? nil : field.path.description)
    }
}

extension DefinitionProblem: Comparable {
    /// Orders problems by file, line and column; a problem of the whole file comes before those at a place in it, and
    /// severity, message and path decide between problems of one place, so that the order is the same on every run.
    public static func < (left: DefinitionProblem, right: DefinitionProblem) -> Bool {
        if left.file != right.file { return left.file < right.file }
        let start = SourcePosition(line: 0, column: 0)
        let (leftPosition, rightPosition) = (left.position ?? start, right.position ?? start)
        if leftPosition != rightPosition { return leftPosition < rightPosition }
        return (left.severity.rawValue, left.message, left.path ?? "")
            < (right.severity.rawValue, right.message, right.path ?? "")
    }
}

extension DefinitionProblem: CustomStringConvertible {
    /// The problem on one line, as compilers write it: file, line, column, severity, message and path.
    public var description: String { "\(place): \(severity.rawValue): \(text)" }
    /// The file with its folder, and line and column if they are known.
    var place: String { file + positionSuffix }
    /// The message and, in parentheses, the path.
    package var text: String { message + (path.map { " (\($0))" } ?? "") }

    /// The message without digits and without what it quotes: problems of one kind have the same one.
    package var kind: String {
        let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        return stride(from: 0, to: parts.count, by: 2).map { parts[$0].filter { !$0.isNumber } }.joined(separator: "\"")
    }

    /// The file without its folder, with line and column if they are known: `checkout.yaml:14:9`.
    package var placeInFolder: String { fileName + positionSuffix }
    /// The key of the experiment that the file defines, or the name of another definition; `nil` for files that are
    /// not read.
    package var definedName: String? { DefinitionsFolder.reads(fileName) ? DefinitionsFolder.stem(of: fileName) : nil }

    private var fileName: String {
        file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[file.utf8.index(after: $0)...]) } ?? file
    }

    private var positionSuffix: String { position.map { ":\($0)" } ?? "" }
}

extension DefinitionProblem {
    /// A summary of a list of problems: `2 errors, 1 warning`, and the consequence of errors.
    package static func summary(
        of problems: [DefinitionProblem], until consequence: String = "nothing can be assigned"
    ) -> String {
        let errors = problems.count { $0.severity == .error }
        let found = "\(counted(errors, "error")), \(counted(problems.count - errors, "warning"))"
        return errors > 0 ? "\(found); \(consequence) until the errors are fixed" : found
    }
}
