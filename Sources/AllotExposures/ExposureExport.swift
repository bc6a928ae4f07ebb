import GRDB

/// Stored exposures as CSV (RFC 4180, lines end with LF): `unit,variant,experiment,at,attributes`, ordered by time,
/// then by the unit's bytes. Times are RFC 3339 in UTC with milliseconds; attributes are JSON or empty.
///
/// Each chunk is a whole number of records and is read on its own, so that an export of any length neither fills the
/// memory nor blocks the writer. An exposure that is stored during the export, or whose time becomes earlier, is
/// included only if its place is still to come.
///
/// Iterating throws ``ExposureStoreError``, or `CancellationError` if the task is cancelled.
public struct ExposureExport: AsyncSequence, AsyncIteratorProtocol, Sendable {
    private let store: ExposureStore
    private let experiment: String?
    /// The place of the last exposure that was read; `nil` before the header.
    private var last: ExposurePage.Key?
    private var isAtEnd = false

    init(_ store: ExposureStore, experiment: String?) {
        self.store = store
        self.experiment = experiment
    }

    /// Starts an export at its header.
    public func makeAsyncIterator() -> Self { self }

    /// The bytes of the next records, in UTF-8. Returns `nil` at the end.
    public mutating func next() async throws -> [UInt8]? {
        if isAtEnd { return nil }
        guard let last else {
            last = .first
            return Array("unit,variant,experiment,at,attributes\n".utf8)
        }
        let page = try await store.read { [experiment] in
            try ExposurePage.read($0, after: last, experiment: experiment)
        }
        self.last = page.last
        isAtEnd = page.last == nil
        return isAtEnd ? nil : page.bytes
    }
}
