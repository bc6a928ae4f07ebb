/// The SQL dialect of a warehouse.
///
/// ```swift
/// for dialect in Dialect.allCases where dialect.isProved {
///     print(dialect.title)  // the engines on which statements are compared with allot assign
/// }
/// ```
public enum Dialect: String, Sendable, CaseIterable {
    case duckdb, clickhouse, spark, postgresql, bigquery, snowflake, trino, redshift

    /// The name of the engine as its makers write it.
    public var title: String { syntax.title }
    /// Whether tests run statements on the engine and find them equal to Allot's own decisions. Statements for other
    /// engines follow their documentation, and a parser checks their grammar.
    public var isProved: Bool { syntax.testedVersion != nil }
    /// A text as a literal. Returns `nil` if the engine's texts cannot contain it: some do not take U+0000.
    package func literal(_ text: String) -> String? { try? syntax.literal(text) }

    var syntax: any SQLSyntax {
        switch self {
        case .duckdb: DuckDBSyntax()
        case .clickhouse: ClickHouseSyntax()
        case .spark: SparkSyntax()
        case .postgresql: PostgreSQLSyntax()
        case .bigquery: BigQuerySyntax()
        case .snowflake: SnowflakeSyntax()
        case .trino: TrinoSyntax()
        case .redshift: RedshiftSyntax()
        }
    }
}
