import AllotBatch
import AllotStatistics

/// Counts all rows of a file, each for its comparison.
struct SampleRatioReading {
    private(set) var comparisons: [Comparison] = []
    /// Rows of experiments that are not tested, by key.
    private(set) var passedOver: [String: Int] = [:]
    private(set) var order: TimeOrder?
    private(set) var rowCount = 0
    private let maker: ComparisonMaker
    /// By the key of an experiment, its comparison; -1 for none.
    private var indices: [[UInt8]: Int] = [:]
    private var lastKey: [UInt8] = []
    private var lastIndex: Int?

    init(_ maker: ComparisonMaker) throws {
        self.maker = maker
        if maker.columns.time != nil { order = TimeOrder() }
        if maker.columns.experiment == nil { comparisons = try maker.fixed() }
    }

    /// Reads to the end of the file.
    mutating func read(_ rows: inout CSVRows, progress: (Int) -> Void) throws {
        while try rows.next() {
            if rows.rowCount & 0xFFF == 0 { progress(rows.bytesRead) }
            if let time = maker.columns.time { order?.step(rows.bytes.span.extracting(rows[time]), line: rows.line) }
            guard let column = maker.columns.experiment else {
                for index in comparisons.indices { try comparisons[index].take(rows, order: order) }
                continue
            }
            if let index = try comparison(rows, column) { try comparisons[index].take(rows, order: order) }
        }
        rowCount = rows.rowCount
    }

    /// The comparison of the present row's experiment.
    private mutating func comparison(_ rows: borrowing CSVRows, _ column: Int) throws -> Int? {
        let slice = rows.bytes[rows[column]]
        if let lastIndex, lastKey.elementsEqual(slice) { return lastIndex }
        let key = Array(slice)
        if indices[key] == nil {
            let made = try maker.named(String(decoding: key, as: UTF8.self))
            indices[key] = made == nil ? -1 : comparisons.count
            if let made { comparisons.append(made) }
            if comparisons.count > 1, case .shares = maker.source { throw several(rows, column) }
        }
        guard let index = indices[key], index >= 0 else {
            passedOver[String(decoding: key, as: UTF8.self), default: 0] += 1
            return nil
        }
        (lastKey, lastIndex) = (key, index)
        return index
    }

    private func several(_ rows: borrowing CSVRows, _ column: Int) -> CSVError {
        rows.error(
            in: column,
            "the file holds several experiments, \"\(comparisons[0].key ?? "")\" and \"\(rows.text(column))\", and --shares "
                + "are those of one; name it with --experiment")
    }

    /// What is known of the order of rows.
    func knownOrder(isDeclared: Bool) -> SampleRatioTally.Order {
        guard let order else { return isDeclared ? .known : .unknown }
        if let fault = order.fault { return .broken(fault) }
        return .known
    }
}
