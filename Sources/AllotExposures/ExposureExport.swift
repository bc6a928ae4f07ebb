internal import AllotConfiguration

/// Stored exposures as text in the order of their cursors.
///
/// Each chunk is a whole number of records and is read on its own, so that an export of any length neither fills the
/// memory nor blocks the writer.
///
/// Iterating throws ``ExposureStoreError``, or `CancellationError` if the task is cancelled. An export that does not
/// throw is complete.
public struct ExposureExport: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// The cursor after which the next export begins.
    public let cursor: Int64
    private let store: ExposureStore
    private let selection: ExposureSelection
    private let format: ExposureFormat
    private let delimiter: CSVDelimiter
    /// The cursor up to which exposures are in `chunks` or were returned.
    private var place: Int64
    /// The chunks that were read and not yet returned, the last first.
    private var chunks: [[UInt8]]

    init(
        _ store: ExposureStore, _ selection: ExposureSelection, _ format: ExposureFormat, _ delimiter: CSVDelimiter,
        after: Int64, through: Int64
    ) {
        self.store = store
        self.selection = selection
        self.format = format
        self.delimiter = delimiter
        place = after
        cursor = through
        chunks = format.header(delimiter).map { [$0] } ?? []
    }

    /// Starts an export at its header.
    public func makeAsyncIterator() -> Self { self }

    /// A chunk ends with the first record that goes beyond this.
    private static let byteLimit = 256 * 1024

    /// The bytes of the next records, in UTF-8. Returns `nil` at the end.
    public mutating func next() async throws -> [UInt8]? {
        while true {
            if let chunk = chunks.popLast() { return chunk }
            guard place < cursor else { return nil }
            let page = try await store.run { [selection, place, cursor] in
                try $0.exposures(of: selection, after: place, through: cursor, limit: 2000)
            }
            place = page.cursor
            var chunk: [UInt8] = []
            for exposure in page.exposures {
                format.append(exposure, to: &chunk, delimiter: delimiter)
                guard chunk.count >= Self.byteLimit else { continue }
                chunks.append(chunk)
                chunk = []
            }
            if !chunk.isEmpty { chunks.append(chunk) }
            chunks.reverse()
        }
    }
}
