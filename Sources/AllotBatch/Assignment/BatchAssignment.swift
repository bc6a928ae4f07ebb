import AllotConfiguration
import AllotCore
import AllotFiles

/// Assigns every row of a CSV file, or of CSV in memory, by one plan.
///
/// How a row travels: `OrderedPipeline` reads chunks of whole records and gives each to a worker thread. There a
/// `RowProcessor` parses up to 256 rows into a `RowGroup`, which is turned on its side: the evaluator takes the rows as
/// columns, experiment by experiment, so that it can hash the unit IDs of many rows at once, and returns a table of
/// experiments × rows. `RowFormat` turns that table back into rows and writes them after each other into one buffer,
/// which the pipeline writes when all earlier chunks have been written. Nothing is allocated for a single row.
///
/// ```swift
/// import Allot
/// import AllotFiles
///
/// let plan = try Plan.load(folder: "Experiments")
/// var batch = BatchAssignment(plan: plan, instant: .now)
/// batch.layout = .long
/// let output = try AtomicOutput(path: "assigned.csv")
/// let summary = try batch.run(InputFile(path: "users.csv"), output: output)
/// try output.commit()
/// print(summary.counts)
/// ```
///
/// CSV in memory is an input as well, and a ``MemoryOutput`` or any other ``ByteSink`` is an output:
///
/// ```swift
/// import Allot
/// import AllotFiles
///
/// func assigned(_ csv: [UInt8], by plan: Plan) throws -> [UInt8] {
///     var batch = BatchAssignment(plan: plan, instant: .now)
///     batch.attributeColumns = ["user_id": "player", "country": "land"]
///     let output = MemoryOutput()
///     _ = try batch.run(InputFile(bytes: csv), output: output)
///     return output.bytes
/// }
/// ```
public struct BatchAssignment: Sendable {
    /// The output for each row.
    public enum Layout: String, Sendable, CaseIterable {
        /// The row as it was, and one column for each experiment with the variant's key.
        case wide
        /// One row for each variant that is assigned.
        case long
        /// One line of JSON with the merged configuration.
        case json
    }

    /// The plan that decides.
    public let plan: Plan
    /// The instant of evaluation, of all rows unless ``timeColumn`` is set.
    public let instant: Instant
    /// The indices of the experiments to assign; `nil` for all.
    public var selection: [Int]?
    /// The output for each row.
    public var layout = Layout.wide
    /// Whether the long layout also has a row for each experiment that assigns no variant.
    public var includesAll = false
    /// The column of the attribute `user_id`, if it has another name.
    public var unitColumn: String?
    /// The columns of attributes that have another name there, by the attributes' names.
    public var attributeColumns: [String: String] = [:]
    /// The column of the rows' own instants of evaluation, RFC 3339 with an offset; `nil` where all have ``instant``.
    /// A row whose field is not an instant is a malformed row.
    public var timeColumn: String?
    /// Texts that stand for a missing value in every column, such as `NULL`; compared byte by byte.
    public var nullWords: [String] = []
    /// The character between two fields, of the input and of both outputs.
    public var delimiter = CSVDelimiter.comma
    /// Whether malformed rows go to the reject output instead of ending the batch.
    public var setsRejectsAside = false
    /// The number of threads; `nil` for one for each processor that the process may use.
    public var threadCount: Int?
    /// The number of bytes that are read at once; the output does not depend on it.
    var chunkSize = ChunkReader.defaultChunkSize

    /// Assigns every experiment of a plan in the wide layout.
    public init(plan: Plan, instant: Instant) {
        self.plan = plan
        self.instant = instant
    }

    package var selected: [Int] { selection.map { Set($0).sorted() } ?? Array(plan.experiments.indices) }
    /// The instant of evaluation if all rows have the same one.
    package var commonInstant: Instant? { timeColumn == nil ? instant : nil }
    /// The experiments with a column in the wide layout: those that can assign a unit at an instant of the rows.
    package var wideColumns: [Int] { selected.filter { plan.experiments[$0].obstacle(at: commonInstant) == nil } }

    /// Reads all rows and writes their assignments in the order of the rows.
    ///
    /// - Parameters:
    ///   - output: the main output; the caller commits it. It receives the bytes in their order, one thread at a time.
    ///   - rejects: the output for malformed rows, if they do not end the batch.
    ///   - progress: receives the number of input bytes that have been processed.
    ///   - input: The CSV: a file, bytes in memory, or a descriptor such as a pipe.
    /// - Throws: `BatchError` if the columns do not fit, `CSVError` for a malformed row, `FileError` for a file.
    public func run(
        _ input: consuming InputFile, output: any ByteSink, rejects: (any ByteSink)? = nil,
        progress: (@Sendable (_ bytesDone: Int) -> Void)? = nil
    ) throws -> BatchSummary {
        var reader = try ChunkReader(input, delimiter: delimiter, chunkSize: chunkSize)
        let columns = try ColumnMap(reader.header, for: self, inputName: reader.inputName)
        let sample = RowSample(try reader.firstRecords(among: RowSample.length), reader.header, columns)
        try output.write(RowFormat(self, columns: columns).header(reader.header))
        try rejects?.write(RejectedRows.header(delimiter))
        var result = try OrderedPipeline(workerCount: threadCount).run(
            reader, adding: AssignmentCounts(plan), output: output, rejects: rejects, progress: progress
        ) { RowProcessor(self, columns: columns) }
        result.statistics.doubts.longFields = result.longFields
        result.statistics.doubts.columnSentences = columns.doubts
        return BatchSummary(
            counts: result.statistics, rejects: result.rejects, missingColumns: columns.missing, sample: sample)
    }
}

/// The fault of a file without the columns that are needed.
public struct BatchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault and its fix.
    public let description: String
    /// Whether the file has no column of unit IDs, so that the description ends in the advice to name it.
    package let lacksUnits: Bool

    package init(description: String) { (self.description, lacksUnits) = (description, false) }
    init(noUnits fault: String) { (description, lacksUnits) = ("\(fault); name the column of the unit IDs", true) }
}

/// The result of a batch.
///
/// ```swift
/// func report(_ summary: BatchSummary) {
///     print(summary.counts, summary.rejects.rowCount, summary.missingColumns)
/// }
/// ```
public struct BatchSummary: Sendable {
    /// The number of rows, and of decisions by experiment, variant and reason.
    public let counts: AssignmentCounts
    /// The malformed rows that were rejected.
    public let rejects: RejectedTotal
    /// The attributes that experiments look at and the input does not have.
    public let missingColumns: [String]
    package let sample: RowSample
}
