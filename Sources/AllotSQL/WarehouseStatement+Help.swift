extension WarehouseStatement {
    /// The help of `allot sql`.
    package static let help = """
        Writes one statement that assigns every row of a table as "allot assign" would, in the table's warehouse: \
        the same variants for the same reasons, bit for bit. Columns are read as text, as from a CSV file; NULL \
        and '' are missing. What a dialect cannot express exactly is an error, never an approximation.

        An attribute is in the column of its name, which the engine reads as if it were written without quotes; \
        --column 'Ab="Ab"' keeps capitals. The table must not have columns whose names begin with allot_, nor, in \
        the wide layout, columns named like experiments.

        DIALECTS
          \(dialects(proved: true))
                 proved equal by running them on the engine
          \(dialects(proved: false))
                 from documentation, their grammar checked by a parser

        LAYOUTS
          wide   the row as it was, plus one column for each experiment that
                 can assign: the key of the variant, or NULL
                 (without --at for all that run, whatever their schedule)
          long   one row for each experiment, with or without a variant:
                 unit,experiment,variant,reason,bucket,revision

        KINDS
          view       assigns the rows that the table has when it is read
          table      stores the assignments of the current rows
          function   assigns one unit: its parameters are the columns of unit IDs
                     and attributes that the experiments look at
                     (not supported by trino and redshift)

        EXAMPLES
          allot sql --dialect duckdb | duckdb warehouse.db
          allot sql --dialect spark --table app.users --column user_id=id
          allot sql --dialect postgresql --at-column signed_up_at
          allot sql --dialect clickhouse --layout long --create table decided
          allot sql --dialect postgresql --create function allot
        """

    private static func dialects(proved: Bool) -> String {
        Dialect.allCases.filter { $0.isProved == proved }.map(\.rawValue).joined(separator: ", ")
    }
}
