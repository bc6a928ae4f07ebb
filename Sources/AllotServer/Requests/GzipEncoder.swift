import CZlib
import NIOCore

/// The format of gzip (RFC 1952), through zlib.
enum GzipEncoder {
    /// Shorter bodies, in bytes, are sent as they are: compressing them saves no packet.
    static let minimumLength = 1024

    /// The fastest level: configurations are small and requested often.
    private static let level: Int32 = 1

    /// Compresses a body. Returns `nil` if zlib cannot allocate memory for it.
    static func encode(_ body: ByteBuffer) -> ByteBuffer? {
        var stream = z_stream()
        guard allot_deflate_start(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(body.readableBytes)))
        var output = ByteBuffer()
        var result = Z_ERRNO
        body.withUnsafeReadableBytes { input in
            _ = output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { room in
                // zlib reads through this pointer only.
                stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(bound)
                result = deflate(&stream, Z_FINISH)
                return bound - Int(stream.avail_out)
            }
        }
        return result == Z_STREAM_END ? output : nil
    }
}
