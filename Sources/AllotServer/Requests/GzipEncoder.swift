import CZlib

/// The format of gzip (RFC 1952), through zlib.
enum GzipEncoder {
    /// Bodies below this, in bytes, are sent as they are: compressing them saves no packet.
    static let minimumLength = 1024

    /// The fastest level: configurations are small and asked for often.
    private static let level: Int32 = 1

    /// Compresses bytes; `nil` if zlib has no memory for it.
    static func encode(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard allot_deflate_start(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        var result = Z_ERRNO
        let output = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(bound)
                result = deflate(&stream, Z_FINISH)
            }
            count = bound - Int(stream.avail_out)
        }
        return result == Z_STREAM_END ? output : nil
    }
}
