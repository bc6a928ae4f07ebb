import AllotBatch
import AllotConfiguration
import AllotCore
import AllotFiles

/// The units that met a variant of an experiment, by a file of exposures.
struct ExposedUnits: Sendable {
    let fileName: String
    /// The hashes of the unit IDs.
    private var hashes: Set<UInt64> = []

    /// Reads the exposures of some experiments, of any salt; forced ones and overrides do not count.
    init(
        _ input: consuming InputFile, _ data: HoldoutData, of plan: Plan, _ covered: [Int], at instant: Instant
    ) throws {
        var rows = try CSVRows(input, nullWords: data.nullWords, delimiter: data.delimiter)
        fileName = rows.name
        let columns = try SampleRatioColumns(
            rows.header, fileName: fileName, for: SampleRatioAnalysis(.plan(plan, at: instant)))
        _ = try columns.variant(nil)
        let experiment = try rows.header.index(of: ExposureMessage.Event.experiment, in: fileName)
        let keys = covered.map { Array(plan.experiments[$0].key.utf8) }
        let units = try covered.map { UnitColumns(try columns.units(plan.experiments[$0].unit, isAlone: false)) }
        var (marks, kind) = (ExposureMarks(columns), ExposureMarks.Kind.split)
        while try rows.next() {
            if !marks.isLikeLast(rows) { kind = marks.read(rows).kind }
            let key = rows.bytes[rows[experiment]]
            guard kind == .split || kind == .winner, let index = keys.firstIndex(where: { $0.elementsEqual(key) }),
                let id = units[index].id(of: rows)
            else { continue }
            hashes.insert(ByteHash.hash(id.span))
        }
    }

    func contains(_ id: [UInt8]) -> Bool { hashes.contains(ByteHash.hash(id.span)) }
}
