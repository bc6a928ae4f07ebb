extension BatchAssignment {
    /// The help of `allot assign`.
    package static let help = """
        The header row names the attributes; the column user_id (or --unit-column) contains the unit IDs. Files of \
        any size are read in constant memory on all cores; rows stay in order. Files and pipes that gzip compressed \
        are read as they are. The output has the delimiter of the input. The output file appears under its \
        name only when it is complete. A summary goes to standard error: the counts, the expected shares, and the \
        p-value of the test for a sample ratio mismatch (SRM), which assumes that each user has one row. The \
        exit status is 1 if the command failed, or if --rejects set aside every row, or a row of several lines, which \
        one quote too many makes of good rows.

        LAYOUTS
          wide   the row as it was, plus one column for each experiment:
                 the key of the variant, or nothing; lines end with LF,
                 and there is no byte order mark
          long   one row for each variant that is assigned:
                 unit,experiment,variant,reason,bucket,revision
          json   one line for each row: {"unit": …, "configuration": {…}}

        EXAMPLES
          allot assign users.csv -o assigned.csv
          allot assign users.csv.gz --layout long > assigned.csv
          allot assign sheet.csv --delimiter ';' -o assigned.csv
          allot assign players.csv --unit-column player -o assigned.csv
          allot assign users.csv --rejects bad-rows.csv -o assigned.csv
          allot assign export.csv --null NULL --null '\\N' -o assigned.csv
          allot assign visits.csv --time-column at -o assigned.csv
        """
}
