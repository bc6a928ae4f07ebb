import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles

/// Tests the sample ratio of every experiment in a CSV file, as `allot srm` does.
///
/// ```swift
/// import AllotFiles
///
/// var analysis = SampleRatioAnalysis(.shares(try GivenShares("control=50%,green=50%")))
/// analysis.columns.unit = "player"
/// let results = try analysis.results(from: InputFile(path: "exposures.csv"))
/// if results.isMismatch { print(results.lines.joined(separator: "\n")) }
/// ```
///
/// Rows hold units, counts of units, or exposures of several experiments, in any order: the same rows in another order
/// give the same report. Memory grows with the number of units, by about 50 bytes each and one for each attribute, and
/// not with the size of the file.
public struct SampleRatioAnalysis: Sendable {
    /// Where the expected shares come from, and so which comparisons a file holds.
    public enum Expectation: Sendable {
        /// Given shares, for one comparison.
        case shares(GivenShares)
        /// The experiments of a plan at an instant. Unless it is fixed, rows that have a time are decided at that time,
        /// and the instant of the others is moved into the schedule of their experiment.
        case plan(Plan, at: Instant, isFixed: Bool = false)
    }

    /// The names of the columns; `nil` for the usual ones.
    public struct ColumnNames: Sendable, Hashable {
        /// The unit IDs: `unit` or `user_id`.
        public var unit: String?
        /// The variants: `variant`, or a column with the key of the experiment.
        public var variant: String?
        /// The number of units of a row: `count`, where no column has unit IDs.
        public var count: String?
        /// The keys of the experiments: `experiment`.
        public var experiment: String?
        /// The times: `at`.
        public var time: String?
        /// The attributes as a JSON object: `attributes`.
        public var attributes: String?
    }

    /// The expected ratios.
    public var expectation: Expectation
    /// The keys of the experiments to test; empty for all of the file.
    public var experiments: [String] = []
    /// Which columns hold what.
    public var columns = ColumnNames()
    /// The shares of revisions of a definition, for rows of other revisions than the present one.
    public var sharesOfRevisions: [RevisionShares] = []
    /// The salts of the randomisations to test; empty for the present one of each experiment, or for all of a file
    /// whose shares are given.
    public var salts: [String] = []
    /// Whether rows are in the order of time although no column says so.
    public var isInTimeOrder = false
    /// The attributes in which to look for the source of a mismatch; empty for all that have few values.
    public var attributes: [String] = []
    /// Variants whose rows are left out.
    public var ignoredVariants: [String] = []
    /// Texts that stand for a missing value in every column, such as `NULL`.
    public var nullWords: [String] = []
    /// The character between two fields of the file.
    public var delimiter = CSVDelimiter.comma
    /// Whether each row is a unit of its own, so that no column of unit IDs is needed.
    public var isUnitEachRow = false
    /// The share of units with another variant than Allot assigns, above which there is an alarm.
    public var wrongShare = Self.standardWrongShare
    /// The share of units in several variants of one revision, above which there is an alarm.
    public var severalShare = Self.standardSeveralShare
    /// Finds the plan in which an experiment has a revision, such as in the history of a repository; `nil` where no
    /// plan has it. It is called once for each revision of the data that is not the present one.
    public var pastPlan: @Sendable (_ experiment: String, _ revision: String) throws -> Plan? = { _, _ in nil }
    /// The p-value below which a sample ratio mismatch is detected, shared by the tests of each kind.
    public var threshold = RatioTest.threshold

    /// The usual value of ``wrongShare``.
    public static let standardWrongShare = 0.005
    /// The usual value of ``severalShare``.
    public static let standardSeveralShare = 0.01

    /// Tests against some shares.
    public init(_ expectation: Expectation) { self.expectation = expectation }

    /// Reads all rows and tests what they say.
    ///
    /// Complexity: O(bytes of the file), plus the tests of the values of attributes.
    ///
    /// - Parameter progress: is called now and then with the number of bytes read so far.
    /// - Parameter input: The CSV file.
    /// - Throws: `FileError` and `CSVError` for the file, `BatchError` for its columns, and ``AnalysisError`` where
    ///   its rows cannot be tested.
    public func results(
        from input: consuming InputFile, progress: (_ bytesRead: Int) -> Void = { _ in }
    ) throws -> SampleRatioResults {
        var rows = try CSVRows(input, nullWords: nullWords, delimiter: delimiter)
        let columns = try SampleRatioColumns(rows.header, fileName: rows.name, for: self)
        if isUnitEachRow, columns.count != nil {
            throw AnalysisError(
                "\(rows.name) has a column of counts, and each row cannot be one unit; keep only one of these")
        }
        if isInTimeOrder, columns.count != nil, columns.time == nil {
            throw AnalysisError(
                "\(rows.name) holds counts of units without times, and the order of counts says nothing of the order "
                    + "of units; do not declare an order of time, or name the column of their times")
        }
        if columns.attributes == nil {
            for name in attributes { _ = try columns.header.index(of: name, in: columns.fileName) }
        }
        rows.unitColumns = columns.units
        var reading = try SampleRatioReading(self, columns)
        try reading.read(&rows, progress: progress)
        return try SampleRatioResults(reading, columns: columns, of: self, doubts: rows.doubts)
    }

    var knownExperiments: [String] {
        if case .plan(let plan, _, _) = expectation { plan.experiments.map(\.key) } else { [] }
    }
}
