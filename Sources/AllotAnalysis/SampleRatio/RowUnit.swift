import AllotBatch
import AllotConfiguration

/// The unit of a row: its ID, in one column or joined of several, and the window in which it was randomised.
struct RowUnit: Sendable {
    private let columns: UnitColumns
    /// The unit ID; empty if a row does not have one.
    private(set) var id: [UInt8] = []
    /// The name of the unit that is counted once: its ID, or `ID@window` if it is randomised anew in each window.
    private(set) var name: [UInt8] = []
    private(set) var window: Int64?

    init(columns: [Int]) { self.columns = UnitColumns(columns) }

    mutating func read(_ rows: borrowing CSVRows) {
        id.removeAll(keepingCapacity: true)
        columns.append(rows, to: &id)
    }

    /// Sets the window, `nil` for a unit that is counted once for all times.
    mutating func enter(_ window: Int64?) {
        self.window = window
        // A buffer of its own, so that the next row copies neither.
        name.removeAll(keepingCapacity: true)
        name.append(contentsOf: id)
        if let window { name.append(contentsOf: "@\(window)".utf8) }
    }
}
