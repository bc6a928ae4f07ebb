import AllotAnalysis
import AllotBatch
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotReports
import ArgumentParser

struct SaltCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "salt",
        abstract: "Choose a salt that balances the arms of a draft in what is known of its users.",
        usage: "allot salt <experiment> --users <file> --balance <columns> [<options>]",
        discussion: """
            Tries the salts KEY.1, KEY.2 and so on with all users that the experiment could enrol: those that pass \
            every other check, as if it ran with the last share of its traffic. The distance of the arms is that of \
            Mahalanobis over all columns of --balance: numbers as they are, texts as an indicator for each of at most \
            50 levels, a missing value as a level of its own. A salt that depends on the variants of another running \
            experiment is skipped.

            --accept takes the first salt that is among this share of the best ones. The default is 1%: of the \
            variance that two columns explain, half a percent is left in the result. Less gains little, and the test \
            needs as many accepted salts as it has draws. --tries takes the best of a number of salts.

            The usual tests are wrong with a chosen salt; allot rerandomise has the right one. Only drafts get \
            another salt, as it gives units other variants. First prints the balance before and after; --write \
            writes salt and randomisation into the definition.

            EXAMPLES
              allot salt product-gallery --users users.csv --balance orders,country
              allot salt product-gallery --users users.csv --balance orders --write
              allot salt product-gallery --users users.csv --balance orders --tries 100
            """)

    @Argument(help: "The experiment's key.", completion: .names(of: .experiments))
    var experiment: String

    @Option(help: .users, completion: .file(extensions: ["csv", "gz"]))
    var users: String?

    @Option(help: .value("columns", "The columns of the users to balance, such as orders,country."))
    var balance: String?

    @Option(
        help: .value("share", "Take the first salt that is among the best ones (default: 1%)."),
        transform: WrittenNumber.rate)
    var accept: Double?

    @Option(help: .value("count", "Take the best of this number of salts."))
    var tries: Int?

    @OptionGroup
    var columns: ColumnOptions

    @OptionGroup
    var csv: CSVOptions

    @OptionGroup
    var threads: ThreadOptions

    @Flag(help: .write)
    var write = false

    @OptionGroup
    var report: ReportOptions<AllForms>

    @OptionGroup
    var folder: FolderOptions

    @Option(help: .instant("The instant of evaluation"), transform: Instant.init(argument:))
    var at: Instant?

    func validate() throws {
        if accept != nil, tries != nil {
            throw ValidationError(
                "Give --accept or --tries: a salt is the first of the good ones, or the best of some.")
        }
        if let accept, accept < ChosenRandomisation.leastShare {
            throw ValidationError("--accept takes a share of at least 0.0001%, which one salt of a million has.")
        }
        try ValidationError.check(tries, of: "--tries", in: SaltQuestion.triesRange)
    }

    func run() throws {
        guard let users else { throw UsageFailure("Name the file of users with --users.") }
        guard let balance else { throw UsageFailure("Name the columns to balance with --balance orders,country.") }
        let instant = at ?? .now
        let editable = try EditableDefinitions(folder: folder.definitions, loader: folder.loader(at: instant))
        let plan = editable.loaded.plan
        guard let index = try plan.experimentIndices(of: [experiment])?.first else { return }
        var question = SaltQuestion(
            balance: try ColumnNames.list(balance, of: "--balance"),
            rule: tries.map { .tries($0) } ?? .accept(accept ?? SaltQuestion.customaryShare))
        question.columns = try columns.names(unit: plan.experiments[index].unit ?? Subject.defaultUnit)
        question.unitOption = columns.unitColumn.map { _ in "--unit-column" }
        question.taskCount = min(threads.count ?? .max, Processors.availableCount)
        ProgressBar.announceTyping(users)
        let input = try HashedInput(InputFile(path: users), nullWords: csv.nullWords, delimiter: csv.delimiter)
        let bar = ProgressBar(total: nil, unit: "million hashes")
        let choice = try Waiting.result { [question] in
            defer { bar.clear() }
            return try await question.choice(for: index, of: plan, at: instant, users: input, progress: bar.add)
        }
        var edit = ExperimentEdit()
        edit.salt = ExperimentEdit.ChosenSalt(choice.salt, choice.record)
        let edited = try editable.editing(experiment, edit).edit
        let file = try EditedFile(edited, write: write)
        var json = choice.json
        if case .object(var object) = json {
            file.add(to: &object)
            json = .object(object)
        }
        try report.write(choice.report(change: (edited.path, file.lines, file.state)), json: json)
    }
}

/// Names of columns with commas between them.
enum ColumnNames {
    /// Reads names, each once.
    static func list(_ text: String, of option: String) throws -> [String] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if names.contains("") {
            throw UsageFailure("\(option) takes names of columns with commas between them, such as orders,country.")
        }
        if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw UsageFailure("\(option) names \(QuotedText(name)) twice; keep one.")
        }
        return names
    }
}
