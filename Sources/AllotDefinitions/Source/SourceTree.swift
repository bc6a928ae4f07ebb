import AllotConfiguration

/// A definitions file, read as a tree of positioned values: where YAML and JSON files start alike. `Sendable`.
package struct SourceTree: Sendable {
    package let root: SourceNode?
    package let problems: [DefinitionProblem]
    /// The text that was read; `nil` if it is too large or not UTF-8.
    let text: SourceText?

    /// Reads a file as JSON if its name ends in `.json`, else as YAML. Complexity: O(size of the file).
    package init(_ bytes: [UInt8], file: String, maximumBytes: Int = DefinitionLimits().fileBytes) {
        var problems = ProblemList(file: file)
        text = SourceText(bytes, maximumBytes: maximumBytes, problems: &problems)
        root = text.flatMap { text in
            file.hasSuffix(".json")
                ? JSONSource.parse(text, problems: &problems) : YAMLSource.parse(text, problems: &problems)
        }
        self.problems = problems.problems.sorted()
    }

    static let deepest = 100
}
