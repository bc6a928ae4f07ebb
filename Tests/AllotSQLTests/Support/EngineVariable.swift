import Foundation

/// A variable of the environment that says where something is that tests need and a machine may lack.
enum EngineVariable: String {
    /// A Python with the packages of `Engines/requirements.txt`.
    case python = "ALLOT_SQL_PYTHON"
    /// The connection string that `Engines/postgresql.sh start FOLDER` prints.
    case postgresql = "ALLOT_SQL_POSTGRES"
    /// Set to 1 to use Spark, which needs a Java runtime and seconds for each statement.
    case spark = "ALLOT_SQL_SPARK"

    /// What it is set to, `nil` if to nothing.
    var value: String? {
        ProcessInfo.processInfo.environment[rawValue].flatMap { $0.isEmpty ? nil : $0 }
    }
}
