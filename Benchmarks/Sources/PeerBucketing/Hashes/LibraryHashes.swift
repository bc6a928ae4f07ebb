internal import CPeerHashes

/// The hashes that zlib and libcrypto bring. Of a digest the first 8 bytes are given, as a big-endian number.
public enum LibraryHashes {
    /// CRC-32 as in zlib, gzip and Ethernet (ISO 3309, reflected polynomial 0xEDB88320).
    public static func crc32(_ message: Span<UInt8>) -> UInt32 {
        message.withUnsafeBufferPointer { bytes in
            UInt32(truncatingIfNeeded: CPeerHashes.crc32(0, bytes.baseAddress, UInt32(bytes.count)))
        }
    }

    /// MD5 (RFC 1321).
    public static func md5(_ message: Span<UInt8>) -> UInt64 {
        message.withUnsafeBufferPointer { peer_md5($0.baseAddress, $0.count) }
    }

    /// SHA-1 (FIPS 180-4).
    public static func sha1(_ message: Span<UInt8>) -> UInt64 {
        message.withUnsafeBufferPointer { peer_sha1($0.baseAddress, $0.count) }
    }

    /// SHA-256 (FIPS 180-4).
    public static func sha256(_ message: Span<UInt8>) -> UInt64 {
        message.withUnsafeBufferPointer { peer_sha256($0.baseAddress, $0.count) }
    }
}
