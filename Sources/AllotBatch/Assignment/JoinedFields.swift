import AllotConfiguration
@_spi(Groups) import AllotCore

/// The IDs of units of several attributes, of the rows of a group, as fields of CSV.
struct JoinedFields: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Row after row, by experiment; empty without such a unit, or without its ID.
    private var ranges: [Range<Int>]
    private let experimentCount: Int
    private(set) var longest = 0

    init(_ group: RowGroup, _ format: RowFormat, _ evaluator: Evaluator) {
        experimentCount = (format.experiments.last ?? -1) + 1
        ranges = Array(repeating: 0..<0, count: group.count * experimentCount)
        let ids = evaluator.joinedBytes
        for row in 0..<group.count {
            for experiment in format.experiments {
                guard let unit = evaluator.joinedUnit(of: experiment, row: row) else { continue }
                let start = bytes.count
                bytes.appendCSVField(ids.span.extracting(unit), delimiter: format.delimiter)
                longest = max(longest, bytes.count - start)
                ranges[row * experimentCount + experiment] = start..<bytes.count
            }
        }
    }

    func range(_ row: Int, _ experiment: Int) -> Range<Int> { ranges[row * experimentCount + experiment] }
}
