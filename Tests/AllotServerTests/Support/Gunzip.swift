import CZlib

/// What gzip's format holds, through zlib.
enum Gunzip {
    struct Failure: Error {
        let code: Int32
    }

    /// Window bits of zlib that ask for gzip's header and checksum.
    private static let gzipOnly: Int32 = 31

    /// The most bytes that a test expects.
    private static let limit = 1 << 20

    static func bytes(_ packed: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        guard inflateInit2_(&stream, gzipOnly, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw Failure(code: Z_MEM_ERROR)
        }
        defer { inflateEnd(&stream) }
        var input = packed
        var result = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(limit)
                result = inflate(&stream, Z_FINISH)
            }
            count = limit - Int(stream.avail_out)
        }
        guard result == Z_STREAM_END, stream.avail_in == 0 else { throw Failure(code: result) }
        return output
    }
}
