import AllotFiles
import Foundation
import TestSupport
import Testing

@testable import AllotBatch

struct ChunkReaderTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func chunks(_ path: String, chunkSize: Int, limit: Int = 1 << 20) throws -> [[UInt8]] {
        var reader = try ChunkReader(InputFile(path: path), chunkSize: chunkSize, maximumRecordLength: limit)
        var chunks: [[UInt8]] = []
        var chunk = Chunk()
        while try reader.next(into: &chunk) { chunks.append(chunk.records) }
        return chunks
    }

    /// The rows that count: without the empty lines at the end.
    private func rows(_ bytes: [UInt8], isTrimmed: Bool) -> [UInt8] {
        var records = ReferenceCSV.records(bytes, columnCount: nil)
        while isTrimmed, let last = records.last, last.range.isEmpty { records.removeLast() }
        return Array(bytes.prefix(records.last?.next ?? 0))
    }

    @Test("The records are the same for every chunk size", arguments: 0..<12)
    func everyChunkSizeGivesTheSameRecords(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        for style in NastyCSV.Style.allCases {
            for header in ["a,b\n", "\u{FEFF}a\r\n"] {
                var bytes = NastyCSV.bytes(using: &generator, style: style, length: 120)
                if seed.isMultiple(of: 2) { bytes += Array("\n\r\n\n".utf8) }
                let path = try folder.write(Array(header.utf8) + bytes, to: "input.csv")
                let expected = rows(bytes, isTrimmed: header.contains(","))
                let ends = Set(ReferenceCSV.records(bytes, columnCount: nil).map(\.next))
                for chunkSize in 1...(bytes.count + 8) {
                    let chunks = try chunks(path, chunkSize: chunkSize)
                    #expect(chunks.flatMap { $0 } == expected)
                    var end = 0
                    for chunk in chunks {
                        end += chunk.count
                        #expect(!chunk.isEmpty)
                        #expect(ends.contains(end))
                    }
                }
            }
        }
    }

    @Test("A pipe is read piece by piece")
    func readsFromAPipeInPieces() throws {
        let text = "id,name\n" + (0..<5000).map { "\($0),\"name\n\($0)\"\n" }.joined()
        let pipe = Pipe()
        let writer = Thread {
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: 777) {
                let piece = bytes[start..<min(start + 777, bytes.count)]
                try? pipe.fileHandleForWriting.write(contentsOf: piece)
            }
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        var reader = try ChunkReader(InputFile(borrowing: descriptor, name: "a pipe"), chunkSize: 4096)
        var bytes = reader.header.bytes + [10]
        var chunk = Chunk()
        while try reader.next(into: &chunk) { bytes += chunk.records }
        #expect(String(decoding: bytes, as: UTF8.self) == text)
        #expect(chunk.inputEnd == text.utf8.count)
    }

    @Test("A record is read if it is not longer than the limit", arguments: 1...40)
    func recordsUpToTheLimitAreRead(chunkSize: Int) throws {
        let long = String(repeating: "x", count: 30)
        for end in ["", "\n", "\nb\n"] {
            let path = try folder.write("id\na\n\(long)\(end)", to: "input.csv")
            let all = try chunks(path, chunkSize: chunkSize, limit: 30).flatMap { $0 }
            #expect(String(decoding: all, as: UTF8.self) == "a\n\(long)\(end)")
        }
        for end in ["", "\n", "\nb\n"] {
            let path = try folder.write("id\na\n\(long)x\(end)", to: "input.csv")
            #expect(throws: RowProblem(.recordTooLong(limit: 30), offset: 0)) {
                try chunks(path, chunkSize: chunkSize, limit: 30)
            }
        }
    }

    @Test("A header that is longer than the limit is an error")
    func aHeaderThatIsTooLongIsAnError() throws {
        let path = try folder.write("a,\"b" + String(repeating: "\nx", count: 100), to: "input.csv")
        let error = #expect(throws: CSVError.self) { try chunks(path, chunkSize: 16, limit: 64) }
        #expect(error?.line == 1)
        #expect(error?.column == 3)
        #expect(error?.message.hasPrefix("this quote is not closed within the 64 bytes of the longest record") == true)
    }

    @Test(
        "The error about a malformed header has its line and column",
        arguments: [
            ("é,\"b\nc\"d\n", 1, 3, "this quote is closed in the next line, where text follows it"),
            ("é,b\"\n1,2\n", 1, 4, "a quote inside"),
        ])
    func malformedHeadersHaveAPosition(text: String, line: Int, column: Int, start: String) throws {
        let path = try folder.write(text, to: "input.csv")
        let error = #expect(throws: CSVError.self) { try chunks(path, chunkSize: 1) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.message.hasPrefix(start) == true)
        #expect(error?.description.hasPrefix("\(path):\(line):\(column): ") == true)
    }

    @Test("A file with only a header has no rows")
    func aFileWithOnlyAHeaderHasNoRows() throws {
        for text in ["a,b", "a,b\n", "a,b\r\n\n\r\n"] {
            #expect(try chunks(try folder.write(text, to: "input.csv"), chunkSize: 3).isEmpty)
        }
    }

    @Test("Empty lines between rows are kept")
    func emptyLinesBetweenRowsStay() throws {
        let path = try folder.write("a,b\n1,2\n\n\n\n\n3,4\n\n\n", to: "input.csv")
        for chunkSize in 1...20 {
            let all = try chunks(path, chunkSize: chunkSize).flatMap { $0 }
            #expect(String(decoding: all, as: UTF8.self) == "1,2\n\n\n\n\n3,4\n")
        }
    }

    @Test("An endless run of empty lines takes bounded memory")
    func anEndlessRunOfEmptyLinesTakesBoundedMemory() throws {
        let path = try folder.write("a,b\n1,2\n" + String(repeating: "\n", count: 500), to: "input.csv")
        let all = try chunks(path, chunkSize: 16, limit: 64)
        #expect(all.allSatisfy { $0.count <= 65 })
    }
}
