/// A warehouse's SQL.
public enum Dialect: String, Sendable, CaseIterable {
    case duckdb, clickhouse, spark, postgresql, bigquery, snowflake, trino, redshift
}
