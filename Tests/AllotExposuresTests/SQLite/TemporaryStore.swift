import Foundation
import GRDB
import TestSupport

@testable import AllotExposures

/// A store in a folder that is removed with its owner.
final class TemporaryStore {
    let folder: TemporaryFolder
    let path: String
    private(set) var database: SQLiteDatabase
    private(set) var store: ExposureStore

    init(queueLimit: Int = 100_000) throws {
        folder = try TemporaryFolder()
        path = folder.path("exposures.sqlite")
        database = try SQLiteDatabase(path: path)
        store = ExposureStore(database, queueLimit: queueLimit)
    }

    /// Closes the store and opens its file anew.
    func reopen() async throws {
        await store.shutdown()
        database = try SQLiteDatabase(path: path)
        store = ExposureStore(database)
    }

    func execute(_ sql: String) async throws {
        try await database.pool.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    /// Holds the writer until the returned semaphore is signalled.
    func holdWriter() -> DispatchSemaphore {
        let release = DispatchSemaphore(value: 0)
        database.pool.asyncWriteWithoutTransaction { _ in release.wait() }
        return release
    }
}

extension ExposureStore {
    /// Returns when the given number of exposures wait.
    func waitForQueue(of count: Int) async {
        while queuedCount != count { await Task.yield() }
    }

    /// The export, parsed.
    func exported(_ selection: ExposureSelection = ExposureSelection(), after cursor: Int64 = 0) async throws
        -> [[String]]
    {
        var bytes: [UInt8] = []
        for try await chunk in try await export(selection, after: cursor) { bytes += chunk }
        return try StrictCSV.records(bytes)
    }
}

/// RFC 4180 with LF, read in the simplest way; anything else is an error.
enum StrictCSV {
    struct Malformed: Error {
        let offset: Int
    }

    private enum State {
        case start, plain, quoted, closed
    }

    static func records(_ bytes: [UInt8]) throws -> [[String]] {
        let (comma, quote, lineFeed) = (UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"))
        var (records, record, field, state): ([[String]], [String], [UInt8], State) = ([], [], [], .start)
        for (offset, byte) in bytes.enumerated() {
            switch (state, byte) {
            case (.start, quote): state = .quoted
            case (.quoted, quote): state = .closed
            case (.closed, quote), (.quoted, _):
                field.append(byte)
                state = .quoted
            case (_, comma), (_, lineFeed):
                record.append(String(decoding: field, as: UTF8.self))
                (field, state) = ([], .start)
                if byte == lineFeed {
                    records.append(record)
                    record = []
                }
            case (.start, _) where byte != 13, (.plain, _) where byte != 13 && byte != quote:
                field.append(byte)
                state = .plain
            default: throw Malformed(offset: offset)
            }
        }
        guard state == .start, record.isEmpty else { throw Malformed(offset: bytes.count) }
        return records
    }
}
