import AllotFiles
import Foundation
import TestSupport
import Testing

@testable import AllotBatch

struct ChunkReaderTests {
    private func chunks(_ csv: [UInt8], chunkSize: Int, limit: Int = 1 << 20) throws -> [[UInt8]] {
        var reader = try ChunkReader(
            InputFile(bytes: csv, name: "in.csv"), chunkSize: chunkSize, maximumRecordLength: limit)
        var chunks: [[UInt8]] = []
        var chunk = Chunk()
        while try reader.next(into: &chunk) { chunks.append(chunk.records) }
        return chunks
    }

    /// The lines as one text.
    private func text(_ csv: String, chunkSize: Int, limit: Int = 1 << 20) throws -> String {
        let chunks = try chunks(Array(csv.utf8), chunkSize: chunkSize, limit: limit)
        return String(decoding: chunks.joined(), as: UTF8.self)
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
                let expected = rows(bytes, isTrimmed: header.contains(","))
                let ends = Set(ReferenceCSV.records(bytes, columnCount: nil).map(\.next))
                for chunkSize in 1...(bytes.count + 8) {
                    let chunks = try chunks(Array(header.utf8) + bytes, chunkSize: chunkSize)
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

    @Test("A pipe is read piece by piece, compressed or not", arguments: [false, true])
    func readsFromAPipeInPieces(isCompressed: Bool) throws {
        let text = Array(("id,name\n" + (0..<5000).map { "\($0),\"name\n\($0)\"\n" }.joined()).utf8)
        let sent = isCompressed ? try Gzip.bytes(text) : text
        let pipe = Pipe()
        let writer = Thread {
            for start in stride(from: 0, to: sent.count, by: 777) {
                try? pipe.fileHandleForWriting.write(contentsOf: sent[start..<min(start + 777, sent.count)])
            }
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        var reader = try ChunkReader(InputFile(borrowing: descriptor, name: "a pipe"), chunkSize: 4096)
        var bytes = reader.header.bytes + [10]
        var chunk = Chunk()
        while try reader.next(into: &chunk) { bytes += chunk.records }
        #expect(bytes == text)
        // Progress counts the bytes of the input.
        #expect(isCompressed ? chunk.inputEnd <= sent.count : chunk.inputEnd == sent.count)
        #expect(reader.bytesRead == sent.count)
    }

    @Test("A record is read if it is not longer than the limit", arguments: 1...40)
    func recordsUpToTheLimitAreRead(chunkSize: Int) throws {
        let long = String(repeating: "x", count: 30)
        for end in ["", "\n", "\nb\n"] {
            #expect(try text("id\na\n\(long)\(end)", chunkSize: chunkSize, limit: 30) == "a\n\(long)\(end)")
            #expect(throws: RowProblem(.recordTooLong(limit: 30), offset: 0)) {
                try text("id\na\n\(long)x\(end)", chunkSize: chunkSize, limit: 30)
            }
        }
    }

    @Test("A header that is longer than the limit is an error")
    func aHeaderThatIsTooLongIsAnError() throws {
        let csv = "a,\"b" + String(repeating: "\nx", count: 100)
        let error = #expect(throws: CSVError.self) { try text(csv, chunkSize: 16, limit: 64) }
        #expect(error?.line == 1)
        #expect(error?.column == 3)
        #expect(error?.message.hasPrefix("this quote is not closed within the 64 bytes of the longest record") == true)
    }

    @Test(
        "A file with only a header has no rows, and empty lines between rows are kept",
        arguments: [
            ("a,b", ""), ("a,b\n", ""), ("a,b\r\n\n\r\n", ""),
            ("a,b\n1,2\n\n\n\n\n3,4\n\n\n", "1,2\n\n\n\n\n3,4\n"),
        ])
    func emptyLines(csv: String, rows: String) throws {
        for chunkSize in 1...20 { #expect(try text(csv, chunkSize: chunkSize) == rows) }
    }

    @Test("An endless run of empty lines takes bounded memory")
    func anEndlessRunOfEmptyLinesTakesBoundedMemory() throws {
        let csv = Array(("a,b\n1,2\n" + String(repeating: "\n", count: 500)).utf8)
        let all = try chunks(csv, chunkSize: 16, limit: 64)
        #expect(all.allSatisfy { $0.count <= 65 })
    }
}
