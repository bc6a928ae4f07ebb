/// The SQL of a warehouse.
public enum Dialect: String, Sendable, CaseIterable {
    case duckdb, clickhouse, spark, postgresql, bigquery, snowflake, trino, redshift

    /// The engine's name as its makers write it.
    public var title: String { syntax.title }

    /// Whether statements are proved equal to Allot's own decisions by running them on the engine; the others are
    /// written from documentation, and their grammar is checked by a parser.
    public var isProved: Bool { syntax.testedVersion != nil }

    /// How the engine spells things.
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
