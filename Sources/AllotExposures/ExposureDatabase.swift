/// Where exposures are kept: a file of SQLite, or PostgreSQL. `Sendable`.
///
/// All functions block; ``ExposureStore`` calls them on threads of its own, ``store(_:)`` on one at a time. They throw
/// ``ExposureStoreError``.
package protocol ExposureDatabase: Sendable {
    /// The name in messages: the path, or the address without its password.
    var name: String { get }

    /// Stores exposures that have no ``Exposure/fault``, all or none, in one transaction that is durable on return.
    ///
    /// For each identity the exposure with the least ``Exposure/rank`` is kept, with a new cursor if it replaces
    /// another. One whose event ID is stored with another identity changes nothing. An exposure that is kept with
    /// another ``Exposure/confirmation`` than `whole` leaves a note of what no definition has: of its variant, if no
    /// exposure of that is stored, and of its revision. Of a variant with notes of
    /// ``Exposure/Confirmation/revisionLimit`` revisions further ones are stored without theirs. Notes go with the last
    /// of their exposures.
    ///
    /// - Returns: for each exposure, in order, whether it is the first of its identity. Of several of one identity in
    ///   one call only the first is ``ExposureOutcome/stored``.
    /// - Throws: ``ExposureStoreError/refused(_:)`` if the content of some exposure is at fault, not the database, so
    ///   that others may be stored without it; ``ExposureStoreError/storage(_:)`` otherwise.
    func store(_ exposures: [Exposure]) throws -> [ExposureOutcome]

    /// The last cursor of which all exposures up to it are visible, also those that other servers are storing.
    func lastCursor() throws -> Int64

    /// About `limit` exposures of a selection with a cursor in a range, in its order, and the cursor up to which they
    /// are complete: the range's end if none are left.
    func exposures(
        of selection: ExposureSelection, after: Int64, through: Int64, limit: Int
    ) throws -> (exposures: [Exposure], cursor: Int64)

    /// The exposures of a unit, counted or not, in any order.
    func exposures(ofUnit unit: String) throws -> [Exposure]

    /// The randomisations of an experiment, or of all, by experiment and salt.
    func randomisations(of experiment: String?) throws -> [StoredRandomisation]

    /// Whether an exposure of one randomisation has a window.
    func hasWindows(experiment: String, salt: String) throws -> Bool

    /// The units of one randomisation, all counted at one moment.
    func counts(experiment: String, salt: String) throws -> ExposureCounts

    /// The units of several randomisations, in order and all at one moment, and the days of their first exposures.
    func histories(of randomisations: [(experiment: String, salt: String)]) throws -> [ExposureHistory]

    /// The units of all randomisations at one moment, in any order.
    func totals() throws -> [ExposureTotal]

    /// The exposures of a deletion by experiment, in the order of the keys' bytes.
    func preview(of deletion: ExposureDeletion) throws -> [ExposureDeletion.Part]

    /// Deletes `limit` exposures at most, so that other writes proceed between the parts, and returns how many: fewer
    /// than the limit once none is left.
    func delete(_ deletion: ExposureDeletion, limit: Int) throws -> Int

    /// The variants that no definition has confirmed, the one whose last exposure was received longest ago first.
    func unconfirmedArms() throws -> [ExposureArm]

    /// Removes the notes of these variants and revisions, which definitions have.
    func confirm(_ arms: [(arm: ExposureArm, revision: String)]) throws

    /// Deletes all exposures of a unit, so that no bytes of them are left in the files of an SQLite store, and returns
    /// how many.
    func erase(unit: String) throws -> Int

    /// Writes something durably and checks that the store is still the one that was opened; throws why exposures cannot
    /// be stored now.
    func probe() throws

    /// The damage that the database finds in its file, in its own words; empty if there is none.
    func problems() throws -> [String]

    /// Breaks off reads and probes that wait for another machine; those that begin later may fail. They throw
    /// ``ExposureStoreError/closed``.
    func breakOffReads()

    func close()
}

extension ExposureDatabase {
    /// Throws: a server checks its own files.
    package func problems() throws -> [String] {
        throw ExposureStoreError.refused("\(name) is a database of a server; check its files with pg_amcheck")
    }

    /// Does nothing: reads of a file end by themselves.
    package func breakOffReads() {}
}
