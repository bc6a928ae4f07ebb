import Allot
import AllotConfiguration
import AllotFiles

/// Assigns every row of a CSV file by two plans, and counts who gets something else.
///
///     let comparison = BatchComparison(old: released, new: edited, instant: .now)
///     let counts = try comparison.run(InputFile(path: "users.csv"))
public struct BatchComparison: Sendable {
    public let old: Plan
    public let new: Plan
    public let instant: Instant
    /// The column that holds the attribute `user_id`, if it has another name.
    public var unitColumn: String?
    /// How many bytes are read at once; what is counted does not depend on it.
    public var chunkSize = ChunkReader.defaultChunkSize
    /// How many threads, and how many chunks at once.
    public var pipeline = OrderedPipeline()

    /// Compares two plans at an instant.
    public init(old: Plan, new: Plan, instant: Instant) {
        self.old = old
        self.new = new
        self.instant = instant
    }

    /// An experiment of either plan, by its index there.
    struct Pair: Sendable {
        let key: String
        let old: Int?
        let new: Int?
    }

    /// Every experiment of either plan, in key order.
    var pairs: [Pair] {
        let before = Dictionary(uniqueKeysWithValues: old.experiments.enumerated().map { (UTF8Key($1.key), $0) })
        let after = Dictionary(uniqueKeysWithValues: new.experiments.enumerated().map { (UTF8Key($1.key), $0) })
        return Set(before.keys).union(after.keys).sorted().map {
            Pair(key: $0.text, old: before[$0], new: after[$0])
        }
    }

    /// Reads all rows and counts them.
    ///
    /// - Parameter progress: told the number of input bytes that are done.
    /// - Throws: `BatchError` if the columns do not fit, `CSVError` for a malformed row, `FileError` for a file.
    public func run(
        _ input: consuming InputFile, progress: (@Sendable (_ bytesDone: Int) -> Void)? = nil
    ) throws -> BatchComparisonResult {
        let reader = try ChunkReader(input, chunkSize: chunkSize)
        let columns = try [old, new].map { plan in
            var batch = BatchAssignment(plan: plan, instant: instant)
            batch.unitColumn = unitColumn
            // Only the wide layout adds columns whose names could be taken.
            batch.layout = .long
            return try ColumnMap(reader.header, for: batch, inputName: reader.inputName)
        }
        let (before, after) = (columns[0], columns[1])
        let result = try pipeline.run(reader, output: NoOutput(), progress: progress) {
            ComparisonProcessor(self, before: before, after: after)
        }
        return BatchComparisonResult(
            rowCount: result.statistics.rowCount, pairs: pairs, counts: result.statistics, comparison: self,
            missingColumns: Set(before.missing + after.missing).sorted())
    }
}

/// Takes nothing: a comparison writes no rows.
private struct NoOutput: ByteSink {
    func write(_ bytes: [UInt8]) {}
}
