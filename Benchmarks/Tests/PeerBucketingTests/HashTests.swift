import PeerBucketing
import Testing

/// The hashes against published check values.
@Suite struct HashTests {
    /// Test vectors of draft-eastlake-fnv, appendix C.
    @Test("Fnv1 a", arguments: [("", 0x811C_9DC5), ("a", 0xE40C_292C), ("foobar", 0xBF9C_F968)] as [(String, UInt32)])
    func fnv1a(_ message: String, _ hash: UInt32) {
        #expect(FNV1a.hash(utf8: Array(message.utf8).span) == hash)
    }

    /// SMHasher's verification value: hashes of 0, 1, … 255 bytes under the seeds 256, 255, … are hashed once more.
    @Test("Murmur hash3")
    func murmurHash3() {
        var hashes: [UInt8] = []
        var key: [UInt8] = []
        for length in 0..<256 {
            let hash = MurmurHash3.hash(key.span, seed: UInt32(256 - length))
            for shift in [0, 8, 16, 24] as [UInt32] { hashes.append(UInt8(truncatingIfNeeded: hash >> shift)) }
            key.append(UInt8(length))
        }
        #expect(MurmurHash3.hash(hashes.span, seed: 0) == 0xB0F5_7EE3)
    }

    /// The check value of CRC-32/ISO-HDLC.
    @Test("Crc32")
    func crc32() {
        #expect(LibraryHashes.crc32(Array("123456789".utf8).span) == 0xCBF4_3926)
    }

    /// RFC 1321, appendix A.5; FIPS 180, examples of one block.
    @Test("Digests")
    func digests() {
        let message = Array("abc".utf8)
        #expect(LibraryHashes.md5(message.span) == 0x9001_5098_3CD2_4FB0)
        #expect(LibraryHashes.sha1(message.span) == 0xA999_3E36_4706_816A)
        #expect(LibraryHashes.sha256(message.span) == 0xBA78_16BF_8F01_CFEA)
    }

    @Test("Empty messages")
    func emptyMessages() {
        let message: [UInt8] = []
        #expect(LibraryHashes.crc32(message.span) == 0)
        #expect(LibraryHashes.md5(message.span) == 0xD41D_8CD9_8F00_B204)
        #expect(LibraryHashes.sha1(message.span) == 0xDA39_A3EE_5E6B_4B0D)
        #expect(LibraryHashes.sha256(message.span) == 0xE3B0_C442_98FC_1C14)
    }
}
