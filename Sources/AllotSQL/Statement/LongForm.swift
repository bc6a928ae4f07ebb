/// How decisions become the rows of the long layout.
enum LongForm {
    /// From a column for each variant and each reason.
    case columns(_ write: (LongRows) -> String)
    /// From one number for each decision, and a table of what the numbers mean: for engines in which each column of
    /// text costs much time.
    ///
    /// - Parameters:
    ///   - list: writes a list of expressions.
    ///   - write: writes the statement.
    case outcomes(list: ([String]) -> String, write: (OutcomeRows) -> String)
}
