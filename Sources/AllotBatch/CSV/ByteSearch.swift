import Glibc

/// Search for one byte with the C library's vectorised functions.
enum ByteSearch {
    /// The offset of the first `byte` at or behind `start`.
    @inline(__always)
    static func first(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress else { return nil }
        guard let found = memchr(base + start, Int32(byte), bytes.count - start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// The offset of the last `byte` in `start..<end`.
    ///
    /// (`memrchr` is a GNU function, which Swift does not import.)
    static func last(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int? {
        var end = end
        let raw = UnsafeRawBufferPointer(bytes)
        let pattern = UInt64(byte) &* 0x0101_0101_0101_0101
        while end - start >= 8 {
            // The top bit of each byte that differs from `byte` is set; no sum carries into the next byte.
            let word = raw.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) ^ pattern
            let differs = ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | word | 0x7F7F_7F7F_7F7F_7F7F
            if differs != .max { break }
            end -= 8
        }
        while end > start {
            end -= 1
            if bytes[end] == byte { return end }
        }
        return nil
    }
}
