import NIOCore
import Testing

@testable import AllotServer

/// Bodies that come in tiny parts.
struct BodyPartTests {
    private static let head = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Sends a body in chunks of a length. Returns how many parts of it are handed on.
    ///
    /// - Parameters:
    ///   - count: The number of chunks.
    ///   - length: The bytes of each.
    ///   - reads: The number of reads in which they come.
    private func parts(_ count: Int, of length: Int, in reads: Int) throws -> Int {
        let connection = try EmbeddedConnection(.testing())
        try connection.receive(Self.head)
        var (sent, expected) = ("", "")
        for number in 0..<count {
            let data = String(repeating: Character(UnicodeScalar(97 + UInt8(number % 26))), count: length)
            sent += "\(String(length, radix: 16))\r\n\(data)\r\n"
            expected += data
        }
        var bytes = Array((sent + "0\r\n\r\n").utf8)[...]
        let size = bytes.count / reads + 1
        while !bytes.isEmpty {
            try connection.channel.writeInbound(ByteBuffer(bytes: bytes.prefix(size)))
            bytes = bytes.dropFirst(size)
        }
        #expect(connection.bodies.map { String(buffer: $0) }.joined() == expected)
        #expect(try connection.statuses() == [200])
        return connection.bodies.count
    }

    @Test("Parts of a body that come in one read are handed on as a few")
    func tinyParts() throws {
        #expect(try parts(20_000, of: 1, in: 1) <= 2)
        #expect(try parts(20_000, of: 1, in: 10) <= 12)
        #expect(try parts(2000, of: 10, in: 1) <= 2)
        #expect(try parts(1, of: 1, in: 1) == 1)
        // Not more than 16 KiB is joined, and nothing that comes in several reads.
        #expect(try parts(3, of: 16_000, in: 1) >= 3)
        #expect(try parts(4, of: 1, in: 24) >= 4)
    }

    @Test("A body in tiny parts that is too long is refused as any other")
    func longBodies() throws {
        let connection = try EmbeddedConnection(.testing(bodyBytes: 1000))
        try connection.receive(Self.head + String(repeating: "1\r\nx\r\n", count: 1001))
        #expect(try connection.statuses() == [413])
        #expect(connection.bodies.isEmpty)
    }
}
