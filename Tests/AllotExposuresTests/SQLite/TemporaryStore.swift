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

    static func records(_ bytes: [UInt8]) throws -> [[String]] {
        var records: [[String]] = []
        var record: [String] = []
        var index = 0
        while index < bytes.count {
            var field: [UInt8] = []
            if bytes[index] == UInt8(ascii: "\"") {
                index += 1
                while true {
                    guard index < bytes.count else { throw Malformed(offset: index) }
                    if bytes[index] != UInt8(ascii: "\"") {
                        field.append(bytes[index])
                        index += 1
                    } else if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\"") {
                        field.append(bytes[index])
                        index += 2
                    } else {
                        index += 1
                        break
                    }
                }
            } else {
                while index < bytes.count, ![UInt8(ascii: ","), UInt8(ascii: "\n")].contains(bytes[index]) {
                    guard bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\r") else {
                        throw Malformed(offset: index)
                    }
                    field.append(bytes[index])
                    index += 1
                }
            }
            record.append(String(decoding: field, as: UTF8.self))
            guard index < bytes.count else { throw Malformed(offset: index) }
            switch bytes[index] {
            case UInt8(ascii: ","): break
            case UInt8(ascii: "\n"):
                records.append(record)
                record = []
            default: throw Malformed(offset: index)
            }
            index += 1
        }
        guard record.isEmpty else { throw Malformed(offset: index) }
        return records
    }
}
