import Allot
import AllotDefinitions
import AllotSQL
import ArgumentParser

/// `allot sql`
struct SQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Write a statement that assigns in a warehouse.",
        usage: "allot sql --dialect <dialect> [--table <table>] [<options>]",
        discussion: """
            One statement that assigns every row of a table as "allot assign" would, in the warehouse that holds it: the \
            same variants for the same reasons, bit for bit. Columns are read as text, as from a CSV file; NULL and '' \
            are missing. What a dialect cannot say exactly is an error, never an approximation.

            DIALECTS
              \(Self.dialects(proved: true))
                     proved equal by running them on the engine
              \(Self.dialects(proved: false))
                     from documentation, their grammar checked by a parser

            LAYOUTS
              wide   the row as it was, plus one column for each experiment that
                     can assign: the key of the variant, or NULL
              long   one row for each experiment, held or not:
                     unit,experiment,variant,reason,bucket,revision

            EXAMPLES
              allot sql --dialect duckdb | duckdb warehouse.db
              allot sql --dialect spark --table app.users --column user_id=id
              allot sql --dialect clickhouse --layout long --create table decided
              allot sql --dialect postgresql --layout long --create function allot
            """)

    @Option(help: ArgumentHelp("The warehouse's SQL.", valueName: "dialect"))
    var dialect: Dialect

    @Option(
        help: ArgumentHelp(
            "The table of the units, schemas before it; \"double quotes\" keep a name exact.", valueName: "table"))
    var table = "users"

    @Option(
        name: .customLong("column"),
        help: ArgumentHelp(
            "The column that holds an attribute, if it has another name; nothing behind the = if there is none "
                + "(repeatable).", valueName: "attribute=column"),
        transform: ColumnMapping.init(argument:))
    var columns: [ColumnMapping] = []

    @Option(help: "What is written for each row (default: wide; long for a function).")
    var layout: WarehouseStatement.Layout?

    @Option(
        name: .customLong("experiment"),
        help: ArgumentHelp("Assign only this experiment (repeatable).", valueName: "key"))
    var experiments: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Keep the statement: view, table or function, and its name.", valueName: "view|table|function name"))
    var create: [String] = []

    @Option(
        help: ArgumentHelp("The folder with the base configuration and the experiments.", valueName: "folder"),
        completion: .directory)
    var definitions = DefinitionsOptions.defaultFolder

    @Option(
        help: ArgumentHelp(
            "The instant of evaluation, such as 2026-11-21T12:00:00Z (default: the engine's clock when the statement runs).",
            valueName: "instant"),
        transform: Instant.init(argument:))
    var at: Instant?

    @OptionGroup(visibility: .hidden)
    var limits: LimitOptions

    func validate() throws {
        _ = try creation
        for (index, mapping) in columns.enumerated()
        where columns[..<index].contains(where: { $0.attribute.utf8.elementsEqual(mapping.attribute.utf8) }) {
            throw ValidationError("--column names \"\(mapping.attribute)\" twice; keep one.")
        }
    }

    func run() throws {
        let loaded: LoadedDefinitions
        do {
            loaded = try limits.loader(at: at ?? .now).load(folder: definitions)
        } catch {
            throw CommandFailure(error)
        }
        let creation = try creation
        var statement = WarehouseStatement(dialect: dialect)
        statement.table = table
        statement.columns = Dictionary(columns.map { ($0.attribute, $0.column) }, uniquingKeysWith: { $1 })
        statement.layout = layout ?? (creation?.kind == .function ? .long : .wide)
        statement.selection = try ExperimentSelection.indices(of: experiments, in: loaded.plan)
        statement.instant = at
        statement.creation = creation
        let text: String
        do {
            text = try statement.text(for: loaded.plan)
        } catch {
            throw CommandFailure(listing: error.problems.map { "\(dialect.title): \($0)" })
        }
        try StandardOutput.write([String(text.dropLast())])
    }

    private var creation: Creation? {
        get throws {
            guard !create.isEmpty else { return nil }
            guard create.count == 2, let kind = Creation.Kind(rawValue: create[0]) else {
                throw ValidationError("--create takes view, table or function, and a name: --create view assignments.")
            }
            return Creation(kind, name: create[1])
        }
    }

    private static func dialects(proved: Bool) -> String {
        Dialect.allCases.filter { $0.isProved == proved }.map(\.rawValue).joined(separator: ", ")
    }
}

extension Dialect: ExpressibleByArgument {}
extension WarehouseStatement.Layout: ExpressibleByArgument {}

/// Where a table holds an attribute.
struct ColumnMapping {
    let attribute: String
    /// `nil` where the table does not hold it.
    let column: String?

    /// Reads `attribute=column`.
    init(argument: String) throws {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else {
            throw ValidationError("write attribute=column, such as user_id=userid")
        }
        attribute = String(argument[..<equals])
        let name = String(argument[argument.index(after: equals)...])
        column = name.isEmpty ? nil : name
    }
}
