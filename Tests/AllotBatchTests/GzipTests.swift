import AllotFiles
import TestSupport
import Testing

@testable import AllotBatch

/// CSV that is compressed by gzip.
struct GzipTests {
    /// The header's bytes and all records; the error that ends them.
    private func read(
        _ bytes: [UInt8], chunkSize: Int = 1000, limit: Int = 1 << 20
    ) throws -> (bytes: [UInt8], error: (any Error)?) {
        var read: [UInt8] = []
        do {
            var reader = try ChunkReader(
                InputFile(bytes: bytes), chunkSize: chunkSize, maximumRecordLength: limit)
            read = reader.header.bytes + [10]
            var chunk = Chunk()
            while try reader.next(into: &chunk) {
                #expect(chunk.buffer.count <= max(chunkSize, limit) + 1)
                read += chunk.records
            }
            return (read, nil)
        } catch {
            return (read, error)
        }
    }

    /// The error that reading ends with; empty if there is none.
    private func message(_ bytes: [UInt8], chunkSize: Int = 1000) throws -> String {
        try read(bytes, chunkSize: chunkSize).error.map { "\($0)" } ?? ""
    }

    @Test("The records are those of the plain file, whatever the members and the size of the chunks", arguments: 0..<8)
    func recordsOfThePlainFile(seed: Int) throws {
        var generator = SeededGenerator(seed: seed)
        for style in NastyCSV.Style.allCases {
            for start in ["a,b\n", "\u{FEFF}a\r\n"] {
                let text = Array(start.utf8) + NastyCSV.bytes(using: &generator, style: style, length: 200)
                let expected = try read(text)
                let cuts = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    Int.random(in: 0...text.count, using: &generator)
                }
                let ends = ([0] + cuts + [text.count]).sorted()
                // Members may be empty.
                let packed = try zip(ends, ends.dropFirst()).flatMap { try Gzip.bytes(Array(text[$0..<$1])) }
                for chunkSize in [1, 2, 3, 7, 50, 1000] {
                    let found = try read(packed, chunkSize: chunkSize)
                    #expect(found.bytes == expected.bytes)
                    #expect(found.error == nil)
                }
            }
        }
    }

    @Test("An empty file, and one that is compressed twice, are errors of their text")
    func emptyAndTwice() throws {
        #expect(try message(Gzip.bytes([])).contains("the file is empty"))
        let twice = try Gzip.bytes(Gzip.bytes(Array("id\na\n".utf8)))
        #expect(try message(twice).contains("this file is compressed; decompress it into a pipe"))
    }

    @Test("A file that was cut off anywhere is an error after the records before the cut")
    func truncated() throws {
        let text = Array("id,n\na,1\nb,2\n\"c\nd\",3\n".utf8)
        for level: Int32 in [0, 6] {
            let packed = try Gzip.bytes(text, level: level)
            // Fewer bytes are not known as gzip.
            for count in 2..<packed.count {
                for chunkSize in [1, 4, 1000] {
                    let cut = Array(packed.prefix(count))
                    #expect(
                        try message(cut, chunkSize: chunkSize).contains("the gzip data are incomplete and end here"))
                    #expect(try text.starts(with: read(cut, chunkSize: chunkSize).bytes))
                }
            }
            #expect(try message(packed + Array(packed.dropLast())).contains("incomplete"))
        }
    }

    @Test("A byte that was changed anywhere after the header, and one too many, is an error")
    func damaged() throws {
        let text = Array("id,n\na,1\nb,2\n\"c\nd\",3\n".utf8)
        for level: Int32 in [0, 6] {
            let packed = try Gzip.bytes(text, level: level)
            for offset in 10..<packed.count {
                var changed = packed
                changed[offset] ^= 0x21
                #expect(try read(changed).error != nil, "\(offset)")
            }
            for end: [UInt8] in [[0], [1, 2, 3], Array("x,9\n".utf8)] {
                #expect(try message(packed + end).contains("the gzip data are "))
            }
        }
    }

    @Test(
        "Damage has the line and column at which the text ends, and comes after the errors of earlier rows",
        arguments: [
            ("id\nab\ncd\nefgh\n", 11, 4, 3, "incomplete"), ("id\nab\ncd\n", 9, 4, 1, "incomplete"),
            ("id\n\"a\nb\"\ncd\n", 10, 4, 2, "incomplete"), ("id\nab", 1, 1, 2, "incomplete"),
            ("id\na\"b\ncd\nef\n", 11, 2, 2, "a quote inside an unquoted field"),
        ])
    func position(text: String, count: Int, line: Int, column: Int, message: String) throws {
        let bytes = try Gzip.cut(Array(text.utf8), to: count)
        for chunkSize in [1, 4, 1000] {
            let error = #expect(throws: CSVError.self) {
                try EchoProcessor.run(InputFile(bytes: bytes), chunkSize: chunkSize)
            }
            let other = #expect(throws: CSVError.self) {
                var rows = try CSVRows(InputFile(bytes: bytes), chunkSize: chunkSize)
                while try rows.next() {}
            }
            #expect(error?.line == line)
            #expect(error?.column == column)
            #expect(error?.message.contains(message) == true)
            #expect(other == error)
        }
    }

    @Test("A small file with a huge text takes the memory of a chunk, or of the longest record")
    func hugeText() throws {
        let rows = try Gzip.bytes(Array("id\n".utf8) + [UInt8](repeating: 10, count: 1 << 22))
        #expect(rows.count < 1 << 14)
        let found = try read(rows, chunkSize: 1 << 14, limit: 1 << 14)
        #expect(found.error == nil)
        #expect(found.bytes.count == 3 + 1 << 22)
        let record = try Gzip.bytes(Array("id\n".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 22))
        let problem = try #require(try read(record, limit: 1 << 14).error as? RowProblem)
        #expect(problem == RowProblem(.recordTooLong(limit: 1 << 14), offset: 0))
    }
}
