import AllotSQL

/// The lexical rules of an engine, from its documentation or its grammar.
struct SQLLexicon {
    /// What back-slashes do within quotes.
    enum Escapes {
        /// They stand for themselves.
        case none
        /// It depends on the engine's version or settings, so none may be there.
        case doubtful
        /// `\n`, `\x41`, `\u0041` and the like; what is not one of them stands for itself.
        case backslash
    }

    /// The quotes of literals.
    var textQuotes: Set<Unicode.Scalar> = ["'"]
    var escapes = Escapes.none
    /// Whether two quotes within a literal are one.
    var doublesTextQuotes = true
    /// Whether three quotes open a literal too.
    var triplesTextQuotes = false
    /// Whether a literal may go on in the next line.
    var breaksLines = true
    /// The quotes of names.
    var nameQuotes: Set<Unicode.Scalar> = ["\""]
    var nameEscapes = Escapes.none
    var doublesNameQuotes = true
    /// What opens a comment to the end of the line.
    var lineComments = ["--"]
    /// Whether a back-slash before the end of the line continues such a comment.
    var continuesLineComments = false
    var nestsComments = false
    /// Whether `$tag$` quotes; with false only `$$` does.
    var hasDollarTags = false
    var hasDollarQuotes = false
    /// What must stand nowhere, not even in quotes, as it is replaced before anything is read.
    var forbidden: [String] = []

    init(_ dialect: Dialect) {
        switch dialect {
        // PostgreSQL's lexer.
        case .duckdb:
            (nestsComments, hasDollarTags, hasDollarQuotes) = (true, true, true)
        // "4.1. Lexical Structure"; `standard_conforming_strings` may be off.
        case .postgresql:
            (escapes, nestsComments, hasDollarTags, hasDollarQuotes) = (.doubtful, true, true, true)
        // "Syntax" and the sources' Lexer.cpp.
        case .clickhouse:
            (escapes, nameEscapes, nameQuotes) = (.backslash, .backslash, ["\"", "`"])
            lineComments = ["--", "#!", "# ", "//"]
            (hasDollarTags, hasDollarQuotes) = (true, true)
        // SqlBaseLexer.g4; `spark.sql.parser.escapedStringLiterals` may be on, variables are replaced first.
        case .spark:
            (textQuotes, escapes, nameQuotes, doublesTextQuotes) = (["'", "\""], .doubtful, ["`"], false)
            (continuesLineComments, nestsComments, forbidden) = (true, true, ["${"])
        // "Lexical structure and syntax".
        case .bigquery:
            (textQuotes, escapes, nameQuotes) = (["'", "\""], .backslash, ["`"])
            (nameEscapes, doublesTextQuotes, doublesNameQuotes) = (.backslash, false, false)
            (triplesTextQuotes, breaksLines, lineComments) = (true, false, ["--", "#"])
        // "String & binary data types", "Identifier requirements".
        case .snowflake:
            (escapes, lineComments, hasDollarQuotes) = (.doubtful, ["--", "//"], true)
        // SqlBase.g4.
        case .trino: break
        // "Literals", "Names and identifiers"; PostgreSQL 8's lexer.
        case .redshift:
            (escapes, nestsComments, hasDollarTags, hasDollarQuotes) = (.doubtful, true, true, true)
        }
    }
}
