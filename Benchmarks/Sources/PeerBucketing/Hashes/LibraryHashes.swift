internal import CPeerHashes

/// The hash that zlib brings.
public enum LibraryHashes {
    /// CRC-32 as in zlib, gzip and Ethernet (ISO 3309, reflected polynomial 0xEDB88320).
    public static func crc32(_ message: Span<UInt8>) -> UInt32 {
        message.withUnsafeBufferPointer { bytes in
            UInt32(truncatingIfNeeded: CPeerHashes.crc32(0, bytes.baseAddress, UInt32(bytes.count)))
        }
    }
}
