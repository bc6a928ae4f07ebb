/// Gzip (RFC 1952) without compression: stored blocks, and the checksum.
enum StoredGzip {
    static func bytes(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        var start = 0
        repeat {
            let block = content[start..<min(start + 65_535, content.count)]
            start = block.endIndex
            bytes.append(start == content.count ? 1 : 0)
            bytes += littleEndian(UInt16(block.count)) + littleEndian(~UInt16(block.count)) + block
        } while start < content.count
        return bytes + littleEndian(checksum(content)) + littleEndian(UInt32(content.count))
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1) * 0xedb8_8320 }
        }
        return ~sum
    }
}
