import GRDB

/// Stored exposures as CSV (RFC 4180, lines end with LF): `unit,variant,experiment,at,attributes`, ordered by time,
/// then by the unit's bytes. Times are RFC 3339 in UTC with milliseconds; attributes are JSON or empty.
///
/// Each chunk is a whole number of records and is read on its own, so that an export of any length neither fills the
/// memory nor blocks the writer. An exposure that is stored during the export, or whose time becomes earlier, is
/// included only if its place is still to come.
///
/// Iterating throws ``ExposureStoreError``, or `CancellationError` if the task is cancelled.
public struct ExposureExport: AsyncSequence, Sendable {
    let store: ExposureStore
    let experiment: String?

    /// Starts an export at its header.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(store: store, experiment: experiment)
    }

    /// Reads one chunk after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private enum Place {
            case header
            case after(ExposurePage.Key)
            case end
        }

        private let store: ExposureStore
        private let experiment: String?
        private var place = Place.header

        init(store: ExposureStore, experiment: String?) {
            self.store = store
            self.experiment = experiment
        }

        /// The bytes of the next records, in UTF-8. Returns `nil` at the end.
        public mutating func next() async throws -> [UInt8]? {
            switch place {
            case .header:
                place = .after(.first)
                return Array("unit,variant,experiment,at,attributes\n".utf8)
            case .after(let key):
                let page = try await store.read { [experiment] in
                    try ExposurePage.read($0, after: key, experiment: experiment)
                }
                guard let last = page.last else {
                    place = .end
                    return nil
                }
                place = .after(last)
                return page.bytes
            case .end:
                return nil
            }
        }
    }
}
