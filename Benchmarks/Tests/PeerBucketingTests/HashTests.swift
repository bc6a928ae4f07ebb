import PeerBucketing
import Testing

/// The hash against published check values.
struct HashTests {
    /// The check value of CRC-32/ISO-HDLC.
    @Test("Crc32")
    func crc32() {
        #expect(LibraryHashes.crc32(Array("123456789".utf8).span) == 0xCBF4_3926)
        #expect(LibraryHashes.crc32(Span()) == 0)
    }
}
