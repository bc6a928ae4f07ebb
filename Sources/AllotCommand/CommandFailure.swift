import AllotDefinitions

/// Why a command failed: exit 1, with a message that says what, where and how to mend it.
struct CommandFailure: Error {
    let message: String

    init(_ message: String) {
        self.message = "allot: \(message)"
    }

    init(_ error: DefinitionsError) {
        message =
            switch error {
            case .folder: "allot: \(error)"
            case .invalid(let problems):
                (problems.filter { $0.severity == .error }.map(\.description) + [Self.summary(problems)])
                    .joined(separator: "\n")
            }
    }

    /// Several causes, each on a line of its own.
    init(listing causes: [String]) {
        message = causes.map { "allot: \($0)" }.joined(separator: "\n")
    }

    /// The failure with one more line.
    func adding(_ line: String) -> CommandFailure {
        CommandFailure(complete: "\(message)\n\(line)")
    }

    private init(complete message: String) {
        self.message = message
    }

    private static func summary(_ problems: [DefinitionProblem]) -> String {
        "allot: \(ProblemSummary(problems).text)"
    }
}

/// The line below a list of problems.
struct ProblemSummary {
    let text: String

    init(_ problems: [DefinitionProblem]) {
        let errors = problems.count { $0.severity == .error }
        let warnings = problems.count - errors
        let found = [Self.counted(errors, "error"), Self.counted(warnings, "warning")].joined(separator: ", ")
        text = "\(found)" + (errors > 0 ? "; nothing can be assigned until the errors are mended" : "")
    }

    static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
