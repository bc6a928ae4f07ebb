import AllotConfiguration
import AllotCore
import AllotFiles
import AllotSQL
import ArgumentParser

struct SQLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql", abstract: "Write an SQL statement that assigns in a warehouse.",
        usage: "allot sql --dialect <dialect> [--table <table>] [<options>]",
        discussion: """
            Writes one statement that assigns every row of a table as "allot assign" would, in the table's warehouse: \
            the same variants for the same reasons, bit for bit. Columns are read as text, as from a CSV file; NULL \
            and '' are missing. Numbers and booleans are read as their texts, and so are dates and timestamps, except \
            where a condition tests $before or $after: DuckDB, ClickHouse, PostgreSQL and Spark then read them as \
            instants. Lists are an error in most engines. What a dialect cannot express exactly is an error, never an \
            approximation.

            An attribute is in the column of its name, which the engine reads as if it were written without quotes; \
            --column 'Ab="Ab"' keeps capitals, and --column ab= says that no column has it. The instant of evaluation \
            is by default that of the engine's clock when the statement runs. The statement begins with a list of the \
            columns that it reads. The table must not have columns whose names begin with allot_, nor, in the wide \
            layout, columns named like experiments.

            A query has no semicolon, so that it can stand in other statements and in models of dbt; what --create \
            creates ends in one.

            DIALECTS
              \(dialects(proved: true))
                     proved equal by running them on the engine
              \(dialects(proved: false))
                     from documentation, their grammar checked by a parser

            LAYOUTS
              wide   the row as it was, plus one column for each experiment that
                     can assign, if any: the key of the variant, or NULL
                     (without --at for all that run, whatever their schedule)
              long   one row for each experiment, with or without a variant:
                     unit,experiment,variant,reason,bucket,revision;
                     without --layout the one of a function

            KINDS
              view       assigns the rows that the table has when it is read; it takes
                         the place of the view of its name
              table      stores the assignments of the current rows
              function   assigns one unit: its parameters are the columns of unit IDs
                         and attributes that the experiments look at, by name; it
                         takes the place of the function of its name
                         (not supported by trino and redshift)

            EXAMPLES
              allot sql --dialect duckdb | duckdb warehouse.db
              allot sql --dialect spark -o assign.sql
              echo "COPY ($(allot sql --dialect duckdb)) TO 'assigned.parquet';"
              allot sql --dialect spark --table app.users --column user_id=id
              allot sql --dialect postgresql --at-column signed_up_at
              allot sql --dialect clickhouse --layout long --create table decided
              allot sql --dialect postgresql --create function allot
            """)

    private static func dialects(proved: Bool) -> String {
        Dialect.allCases.filter { $0.isProved == proved }.map(\.rawValue).joined(separator: ", ")
    }

    @Option(help: .value("dialect", "The warehouse's SQL.")) var dialect: Dialect
    @Option(help: .value("table", "The table of the units, after its schemas; \"double quotes\" keep a name exact."))
    var table = "users"
    @Option(name: .customLong("column"), help: .column, transform: ColumnMapping.init(argument:))
    var columns: [ColumnMapping] = []
    @Option(help: .unitColumn) var unitColumn: String?
    @Option(help: "The output for each row.") var layout: WarehouseStatement.Layout?
    @Option(name: .customLong("experiment"), help: .experiment, completion: .names(of: .experiments))
    var experiments: [String] = []
    @Option(
        parsing: .upToNextOption, help: .value("kind> <name", "Create a view, a table or a function with this name."))
    var create: [String] = []
    @OptionGroup var definitions: DefinitionsOptions
    @Option(help: .atColumn) var atColumn: String?
    @OptionGroup var output: OutputOption

    func validate() throws {
        _ = try creation
        try definitions.check(atColumn: atColumn)
        let columns = mappings
        for (index, mapping) in columns.enumerated()
        where columns[..<index].contains(where: { UTF8Order.areEqual($0.attribute, mapping.attribute) }) {
            throw ValidationError("--column names \(QuotedText(mapping.attribute)) twice; keep one.")
        }
    }

    func run() throws {
        let loaded = try definitions.loaded(at: definitions.instant)
        let creation = try creation
        var statement = WarehouseStatement(dialect: dialect)
        (statement.table, statement.columns, statement.creation) = (table, mappings, creation)
        (statement.instant, statement.instantColumn) = (definitions.givenInstant, atColumn)
        statement.layout = layout ?? (creation?.kind == .function ? .long : .wide)
        statement.selection = try loaded.plan.experimentIndices(of: experiments)
        for note in statement.notes(on: loaded.plan) { StandardError.write("allot: note: \(note)") }
        do {
            try output.write([String(statement.text(for: loaded.plan).dropLast())])
        } catch let error as SQLTranslationError {
            throw CommandFailure(error.problems.map { "\(dialect.title): \($0)" })
        }
    }

    private var mappings: [ColumnMapping] {
        columns + [unitColumn.map { ColumnMapping(attribute: Subject.defaultUnit, column: $0) }].compactMap(\.self)
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
}

extension Dialect: ExpressibleByArgument {}
extension WarehouseStatement.Layout: ExpressibleByArgument {}

extension ColumnMapping {
    init(argument: String) throws {
        guard let (attribute, column) = argument.namedValue
        else { throw ValidationError("write attribute=column, such as user_id=id, or attribute= if no column has it") }
        self.init(attribute: attribute, column: column.isEmpty ? nil : column)
    }
}
