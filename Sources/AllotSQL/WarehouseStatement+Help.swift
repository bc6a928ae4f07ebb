extension WarehouseStatement {
    /// The help of `allot sql`.
    package static let help = """
        Writes one statement that assigns every row of a table as "allot assign" would, in the table's warehouse: \
        the same variants for the same reasons, bit for bit. Columns are read as text, as from a CSV file; NULL \
        and '' are missing. Numbers and booleans are read as their texts, and so are dates and timestamps, except \
        where a condition tests $before or $after: DuckDB, ClickHouse, PostgreSQL and Spark then read them as \
        instants. Lists are an error in most engines. What a dialect cannot express exactly is an error, never an \
        approximation.

        An attribute is in the column of its name, which the engine reads as if it were written without quotes; \
        --column 'Ab="Ab"' keeps capitals. The statement begins with a list of the columns that it reads. The table \
        must not have columns whose names begin with allot_, nor, in the wide layout, columns named like experiments.

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
                 unit,experiment,variant,reason,bucket,revision

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
          echo "COPY ($(allot sql --dialect duckdb)) TO 'assigned.parquet';"
          allot sql --dialect spark --table app.users --column user_id=id
          allot sql --dialect postgresql --at-column signed_up_at
          allot sql --dialect clickhouse --layout long --create table decided
          allot sql --dialect postgresql --create function allot
        """

    private static func dialects(proved: Bool) -> String {
        Dialect.allCases.filter { $0.isProved == proved }.map(\.rawValue).joined(separator: ", ")
    }
}
