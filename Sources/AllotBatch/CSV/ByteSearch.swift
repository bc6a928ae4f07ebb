import Glibc

/// Search for one byte.
enum ByteSearch {
    /// The offset of the first `byte` at or behind `start`.
    static func first(_ byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
        bytes.withUnsafeBufferPointer { pointer in
            guard start < pointer.count, let base = pointer.baseAddress else { return nil }
            guard let found = memchr(base + start, Int32(byte), pointer.count - start) else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    /// The offset of the last `byte` at or behind `start`. (`memrchr` is a GNU function, which Swift does not import.)
    static func last(_ byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
        var end = bytes.count
        while end > start {
            end -= 1
            if bytes[end] == byte { return end }
        }
        return nil
    }
}
