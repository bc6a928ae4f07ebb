import AllotConfiguration
import AllotReports

/// The report of `allot check` about a definitions folder, in each of its formats.
package struct CheckReport: Sendable {
    private let format: ReportFormat
    let folder: String
    let problems: [DefinitionProblem]
    let loaded: LoadedDefinitions?
    private let repository: RepositoryFolder

    /// Checks a folder, in a repository for the formats whose files are named from its top. Throws the errors of `load`
    /// if the report is for people, except the problems of definitions.
    package init(
        of folder: String, format: ReportFormat, repository: RepositoryFolder? = nil,
        _ load: () throws -> LoadedDefinitions
    ) throws {
        (self.folder, self.format) = (folder, format)
        self.repository = repository ?? RepositoryFolder(folder, path: nil)
        do {
            let loaded = try load()
            (self.loaded, problems) = (loaded, loaded.warnings)
        } catch DefinitionsError.invalid(let problems) {
            (loaded, self.problems) = (nil, problems)
        } catch  where format != .text {
            // A program that reads the report reads nothing else.
            (loaded, problems) = (nil, [DefinitionProblem(file: folder, "\(error)")])
        }
    }

    package var isValid: Bool { loaded != nil }
    package var hasWarnings: Bool { problems.contains { $0.severity == .warning } }

    /// The problems, and their number.
    package var report: Report {
        let columns: [Report.Column] = [.text("severity"), .text("place"), .text("problem")]
        return Report(
            summary, title: "Check of \(folder)", isGood: isValid && !hasWarnings, endsWithVerdict: true,
            lead: [.either(text: problems.map(\.description), page: [.table(columns, problems.map(\.cells))])])
    }

    /// The report in SARIF, which names the version of Allot; in other formats the annotations of GitHub.
    package func lines(version: String) -> [String] {
        format == .sarif
            ? [sarif(version: version).prettyText]
            : problemsInRepository.map { GitHubAnnotation($0).description } + [summary]
    }

    /// The problems with the paths that their files have in the repository, without a revision.
    var problemsInRepository: [DefinitionProblem] { problems.map { $0.located(in: repository) } }

    private var summary: String {
        loaded?.summary ?? "\(PrintableText(line: folder)): \(DefinitionProblem.summary(of: problems))"
    }

    /// The report for programs.
    package var json: JSONValue {
        var object: JSONObject = [
            "definitions": .string(folder), "valid": .boolean(isValid),
            "errors": .int(problems.count { $0.severity == .error }),
            "warnings": .int(problems.count { $0.severity == .warning }), "problems": .array(problems.map(\.json)),
        ]
        if let plan = loaded?.plan {
            object["revision"] = .string(plan.revision)
            object["experiments"] = .int(plan.experiments.count)
            object["layers"] = .int(plan.layers.count)
            object["holdouts"] = .int(plan.holdouts.count)
        }
        return .object(object)
    }
}

extension DefinitionProblem {
    /// The problem as a row of a table: `severity`, place and message.
    package var cells: [Report.Cell] {
        [Report.Cell(severity.rawValue, isBad: severity == .error), .name(place), Report.Cell(text)]
    }

    /// The problem for programs: `severity`, `file`, `line`, `column`, `message` and `path`. A problem of a whole file
    /// has no `line`, `column` and `path`.
    package var json: JSONValue {
        var object: JSONObject = [
            "severity": .string(severity.rawValue), "file": .string(file), "message": .string(message),
        ]
        if let position {
            object["line"] = .int(position.line)
            object["column"] = .int(position.column)
        }
        if let path { object["path"] = .string(path) }
        return .object(object)
    }
}
