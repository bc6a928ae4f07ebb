import AllotConfiguration
@_spi(Groups) import AllotCore

/// The IDs of units of several attributes, of the rows of a group, as fields of CSV.
struct JoinedFields: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Row after row, by position among the experiments; empty without such a unit, or without its ID.
    private var ranges: [Range<Int>] = []
    private let experimentCount: Int
    /// By experiment, its position among those that are written.
    private var positions: [Int: Int] = [:]
    private(set) var longest = 0

    init(_ group: RowGroup, _ format: RowFormat, _ evaluator: Evaluator) {
        experimentCount = format.experiments.count
        for (position, experiment) in format.experiments.enumerated() { positions[experiment] = position }
        let ids = evaluator.joinedBytes
        for row in 0..<group.count {
            for experiment in format.experiments {
                let start = bytes.count
                if let unit = evaluator.joinedUnit(of: experiment, row: row) {
                    bytes.appendCSVField(ids.span.extracting(unit), delimiter: format.delimiter)
                }
                longest = max(longest, bytes.count - start)
                ranges.append(start..<bytes.count)
            }
        }
    }

    /// The field of a row's unit in ``bytes``.
    func range(_ row: Int, _ experiment: Int) -> Range<Int> {
        positions[experiment].map { ranges[row * experimentCount + $0] } ?? 0..<0
    }
}
