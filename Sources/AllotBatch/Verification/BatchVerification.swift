import AllotConfiguration
import AllotCore
import AllotFiles

/// Compares the variants that another system recorded with those that a plan assigns, row by row: a row names a unit,
/// an experiment or setting, and a variant's key, a setting's value, or nothing for no variant.
package struct BatchVerification: Sendable {
    package let plan: Plan
    /// The instant of evaluation, of all rows unless ``timeColumn`` is set.
    package let instant: Instant
    /// The columns of attributes that have another name there, by the attributes' names.
    package var attributeColumns: [String: String] = [:]
    package var timeColumn: String?
    /// The column of the experiments or settings; by default the first of `experiment`, `flag` and `setting`.
    package var experimentColumn: String?
    package var variantColumn = "variant"
    package var nullWords: [String] = []
    package var delimiter = CSVDelimiter.comma
    /// The key that the other system's name of an experiment or variant has become.
    package var key: @Sendable (_ name: String) -> String = { $0 }
    /// The other system's names of experiments, by their keys. Several experiments may have been one there.
    package var otherNames: [String: String] = [:]
    package var threadCount: Int?
    var chunkSize = ChunkReader.defaultChunkSize

    package init(plan: Plan, instant: Instant) {
        self.plan = plan
        self.instant = instant
    }

    private static let experimentColumns = ["experiment", "flag", "setting"]

    package func run(
        _ input: consuming InputFile, progress: (@Sendable (_ bytesDone: Int) -> Void)? = nil
    ) throws -> VerificationResult {
        let reader = try ChunkReader(input, delimiter: delimiter, chunkSize: chunkSize)
        let (header, name) = (reader.header, reader.inputName)
        var batch = BatchAssignment(plan: plan, instant: instant)
        batch.attributeColumns = attributeColumns
        batch.timeColumn = timeColumn
        // Only the wide layout adds columns, whose names the input may have already.
        batch.layout = .long
        let columns = try ColumnMap(header, for: batch, inputName: name)
        let places = try RecordedColumns(
            experiment: experimentIndex(header, name), variant: header.index(of: variantColumn, in: name))
        let prefersSettings = header.names[places.experiment] != Self.experimentColumns[0]
        let targets = VerificationTargets(plan, otherNames: otherNames, prefersSettings: prefersSettings)
        var result = try OrderedPipeline(workerCount: threadCount).run(
            reader, adding: VerificationCounts(), progress: progress
        ) { VerificationProcessor(self, columns: columns, places: places, targets: targets) }
        result.statistics.doubts.longFields = result.longFields
        let named = targets.experiments(of: result.statistics.named)
        try check(result.statistics, named, columns, input: name)
        let missing = Set(columns.missing).intersection(plan.attributeNames(of: named)).sorted(by: UTF8Order.precedes)
        let names = RecordedNames(result.statistics, targets, key: key)
        return VerificationResult(result.statistics, names, missingColumns: missing)
    }

    /// Throws if the rows prove nothing.
    private func check(
        _ counts: VerificationCounts, _ named: [Int], _ columns: ColumnMap, input: String
    ) throws(BatchError) {
        if counts.rowCount == 0 { throw BatchError(description: "\(input) has no rows, so it proves nothing") }
        for index in named where columns.columnsOfUnits[index].isEmpty {
            let experiment = plan.experiments[index]
            let unit = experiment.draw?.unitAttributes.first { name in columns.missing.contains(name) }
            guard let unit = unit ?? experiment.unit else { continue }
            throw BatchError(noUnits: "\(input) has no column \(QuotedText(unit)), by which \(experiment.key) assigns")
        }
    }

    private func experimentIndex(_ header: CSVHeader, _ input: String) throws(BatchError) -> Int {
        if let experimentColumn { return try header.index(of: experimentColumn, in: input) }
        for name in Self.experimentColumns {
            if let index = try header.indexIfPresent(of: name, in: input) { return index }
        }
        throw BatchError(
            description: "\(input) has no column \"experiment\" or \"flag\", which names what was recorded; it has "
                + header.listedNames)
    }
}

struct RecordedColumns: Sendable {
    let experiment: Int
    let variant: Int
}
