import AllotConfiguration
import AllotExposures

/// The rows that a transaction has to write so that its exposures are stored one after another: a batch applies them to
/// the rows with their identities and event IDs, and ends with the rows to delete and the exposures to insert.
struct PostgreSQLBatch {
    /// The part of an identity without the unit.
    struct Arm: Hashable {
        let arm: ExposureArm
        let isCounted: Bool
    }

    /// An identity, with the arm's number.
    struct Identity: Hashable {
        let arm: Int32
        let unit: UTF8Key
        let window: Int64
    }

    private struct Row {
        /// The cursor of the row in the database; `nil` if there is none yet.
        let cursor: Int64?
        var rank: ExposureRank
        var event: UTF8Key?
        /// Which exposure of the batch the row is now; `nil` while it is the one in the database.
        var exposure: Int?
    }

    private var rows: [Identity: Row] = [:]
    /// The identity of the row that has an event ID.
    private var events: [UTF8Key: Identity] = [:]

    mutating func addRow(_ identity: Identity, cursor: Int64, rank: ExposureRank, event: String?) {
        let event = event.map(UTF8Key.init)
        rows[identity] = Row(cursor: cursor, rank: rank, event: event, exposure: nil)
        if let event { events[event] = identity }
    }

    /// Stores the exposure with a number after all before it.
    mutating func store(_ exposure: Exposure, number: Int, as identity: Identity) -> ExposureOutcome {
        let event = exposure.id.map(UTF8Key.init)
        if let event, let owner = events[event], owner != identity { return .duplicate }
        let known = rows[identity]
        if let known {
            guard exposure.rank < known.rank else { return .duplicate }
            if let event = known.event { events[event] = nil }
        }
        rows[identity] = Row(cursor: known?.cursor, rank: exposure.rank, event: event, exposure: number)
        if let event { events[event] = identity }
        return known == nil ? .stored : .duplicate
    }

    /// The cursors of the rows that an exposure of the batch replaces.
    var replaced: [Int64] { rows.values.compactMap { $0.exposure == nil ? nil : $0.cursor } }

    /// The numbers of the exposures to insert, in their order.
    var inserted: [Int] { rows.values.compactMap(\.exposure).sorted() }
}
