/// The form in which a command reports. A command supports those that make sense for it.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// Lines for people.
    case text
    /// The result, for programs.
    case json
    /// GitHub's Markdown, for a pull request.
    case markdown
    /// A page that loads nothing.
    case html
    /// Annotations at the lines of a pull request on GitHub, and the summary.
    case github
    /// SARIF 2.1.0, for code scanning and editors.
    case sarif
    /// JUnit's XML, for servers of continuous integration.
    case junit
}
