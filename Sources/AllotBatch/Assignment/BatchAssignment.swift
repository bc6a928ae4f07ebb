import Allot
import AllotConfiguration
import AllotFiles

/// Assigns every row of a CSV file: what is asked for, made ready for one plan.
///
///     let batch = BatchAssignment(plan: plan, instant: .now)
///     let summary = try batch.run(InputFile(path: "users.csv"), output: output)
public struct BatchAssignment: Sendable {
    /// What is written for each row.
    public enum Layout: String, Sendable, CaseIterable {
        /// The row as it was, and one column for each experiment with the variant's key.
        case wide
        /// One row for each variant that is held.
        case long
        /// One line of JSON with the merged configuration.
        case json
    }

    public let plan: Plan
    public let instant: Instant
    /// The indices of the experiments that are asked for, `nil` for all.
    public var selection: [Int]?
    public var layout = Layout.wide
    /// Whether the long layout also has the rows of variants that are not held.
    public var includesAll = false
    /// The column that holds the attribute `user_id`, if it has another name.
    public var unitColumn: String?
    /// Whether malformed rows are set aside instead of ending the batch.
    public var setsRejectsAside = false
    /// How many bytes are read at once; what is written does not depend on it.
    public var chunkSize = ChunkReader.defaultChunkSize
    /// How many threads, and how many chunks at once.
    public var pipeline = OrderedPipeline()

    /// Asks for every experiment of a plan in the wide layout.
    public init(plan: Plan, instant: Instant) {
        self.plan = plan
        self.instant = instant
    }

    /// The experiments that are asked for, in key order.
    var selected: [Int] {
        selection.map { Set($0).sorted() } ?? Array(plan.experiments.indices)
    }

    /// The experiments that get a column in the wide layout: those that can assign somebody at the instant.
    var wideColumns: [Int] {
        selected.filter { plan.experiments[$0].canAssign(at: instant) }
    }

    /// Reads all rows and writes what they come to, in their order.
    ///
    /// - Parameters:
    ///   - output: written in order; committing it is the caller's.
    ///   - rejects: where malformed rows go, when they are set aside.
    ///   - progress: told the number of input bytes that are done.
    /// - Throws: `BatchError` if the columns do not fit, `CSVError` for a malformed row, `FileError` for a file.
    public func run(
        _ input: consuming InputFile, output: any ByteSink, rejects: (any ByteSink)? = nil,
        progress: (@Sendable (_ bytesDone: Int) -> Void)? = nil
    ) throws -> BatchSummary {
        let reader = try ChunkReader(input, chunkSize: chunkSize)
        let columns = try ColumnMap(reader.header, for: self, inputName: reader.inputName)
        try output.write(RowFormat(self, columns: columns).header(reader.header))
        try rejects?.write(RejectedRows.header)
        let result = try pipeline.run(reader, output: output, rejects: rejects, progress: progress) {
            RowProcessor(self, columns: columns)
        }
        return BatchSummary(
            counts: result.statistics, rejectCount: result.rejectCount, byteCount: result.byteCount,
            missingColumns: columns.missing)
    }
}

/// Why a file's columns do not fit what is asked for.
public struct BatchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and how to mend it.
    public let description: String

    /// Creates an error.
    public init(description: String) {
        self.description = description
    }
}

/// What a batch has come to.
public struct BatchSummary: Sendable {
    /// Rows, and decisions by experiment, variant and reason.
    public let counts: AssignmentCounts
    /// The number of malformed rows that were set aside.
    public let rejectCount: Int
    /// The number of bytes read.
    public let byteCount: Int
    /// Attributes that experiments look at and the input does not have.
    public let missingColumns: [String]
}
