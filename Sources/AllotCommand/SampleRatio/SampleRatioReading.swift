import AllotAnalysis
import AllotBatch

/// Counts all rows of a file, each for its comparison.
struct SampleRatioReading {
    /// What the rows of an experiment are counted for.
    private enum Target {
        /// A comparison, by its index.
        case comparison(Int)
        /// An experiment that is passed over, by its index.
        case passedOver(Int)
    }

    private(set) var comparisons: [Comparison] = []
    /// Experiments that are not tested and their numbers of rows, in the order of their first rows.
    private(set) var passedOver: [(key: String, rows: Int)] = []
    private(set) var rowCount = 0
    private let maker: ComparisonMaker
    /// By the key of an experiment.
    private var targets: [[UInt8]: Target] = [:]
    private var lastKey: [UInt8] = []
    private var lastTarget: Target?

    /// The most experiments: a column of something else must not fill the memory.
    private static let targetLimit = 10_000

    init(_ maker: ComparisonMaker) throws {
        self.maker = maker
        guard maker.columns.experiment == nil else { return }
        let fixed = try maker.fixed()
        comparisons = fixed.comparisons
        passedOver = fixed.untestable.map { (key: $0, rows: 0) }
    }

    /// Reads to the end of the file.
    mutating func read(_ rows: inout CSVRows, progress: (Int) -> Void) throws {
        while try rows.next() {
            if rows.rowCount & 0xFFF == 0 { progress(rows.bytesRead) }
            guard let column = maker.columns.experiment else {
                for index in comparisons.indices { try comparisons[index].take(rows) }
                continue
            }
            switch try target(rows, column) {
            case .comparison(let index): try comparisons[index].take(rows)
            case .passedOver(let index): passedOver[index].rows += 1
            }
        }
        rowCount = rows.rowCount
    }

    /// What the present row is counted for.
    private mutating func target(_ rows: borrowing CSVRows, _ column: Int) throws -> Target {
        let slice = rows.bytes[rows[column]]
        if let lastTarget, lastKey.elementsEqual(slice) { return lastTarget }
        let key = Array(slice)
        let target = try targets[key] ?? made(key, rows, column)
        (lastKey, lastTarget) = (key, target)
        return target
    }

    private mutating func made(_ key: [UInt8], _ rows: borrowing CSVRows, _ column: Int) throws -> Target {
        guard targets.count < Self.targetLimit else {
            throw rows.error(
                in: column,
                "there are more than \(Self.targetLimit) experiments in this column; name the right one with "
                    + "--experiment-column")
        }
        let text = String(decoding: key, as: UTF8.self)
        let target: Target
        if let comparison = try maker.named(text) {
            target = .comparison(comparisons.count)
            comparisons.append(comparison)
            if comparisons.count > 1, case .shares = maker.source { throw several(rows, column) }
        } else {
            target = .passedOver(passedOver.count)
            passedOver.append((key: text, rows: 0))
        }
        targets[key] = target
        return target
    }

    private func several(_ rows: borrowing CSVRows, _ column: Int) -> CSVError {
        rows.error(
            in: column,
            "the file holds several experiments, \"\(comparisons[0].key ?? "")\" and \"\(rows.text(column))\", and --shares "
                + "are those of one; name it with --experiment")
    }
}
