import AllotConfiguration

/// A message that GitHub shows at a line of a pull request: a workflow command that a step prints. GitHub shows ten
/// errors and ten warnings of a step; all of them are in its log.
package struct GitHubAnnotation: Sendable, CustomStringConvertible {
    package let description: String

    package init(
        _ severity: DefinitionProblem.Severity, file: String?, at position: SourcePosition?, title: String,
        _ message: String
    ) {
        var properties = [("title", title)]
        if let file { properties.append(("file", file)) }
        if let position { properties += [("line", "\(position.line)"), ("col", "\(position.column)")] }
        let list = properties.map { "\($0)=\(Self.escaped($1, alsoSeparators: true))" }.joined(separator: ",")
        description = "::\(severity.rawValue) \(list)::\(Self.escaped(message, alsoSeparators: false))"
    }

    package init(_ problem: DefinitionProblem, title: String = "allot check") {
        self.init(problem.severity, file: problem.file, at: problem.position, title: title, problem.text)
    }

    /// Text in which no character ends the command or the property.
    private static func escaped(_ text: String, alsoSeparators: Bool) -> String {
        PrintableText(lines: text).description.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "%": result += "%25"
            case "\n": result += "%0A"
            case ":" where alsoSeparators: result += "%3A"
            case "," where alsoSeparators: result += "%2C"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
