import CZlib

/// The format of gzip, as zlib writes it.
enum Gzip {
    /// Window bits of zlib that ask for gzip's header and checksum.
    private static let gzipOnly: Int32 = 31

    struct Failure: Error {
        let code: Int32
    }

    /// Compresses bytes into one member.
    ///
    /// - Parameter level: 0 stores the bytes as they are, after 15 bytes of headers.
    static func bytes(_ text: [UInt8], level: Int32 = 6) throws -> [UInt8] {
        var stream = z_stream()
        let begun = deflateInit2_(
            &stream, level, Z_DEFLATED, gzipOnly, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard begun == Z_OK else { throw Failure(code: begun) }
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, UInt(text.count)))
        var input = text
        var result = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(room)
                result = deflate(&stream, Z_FINISH)
            }
            count = room - Int(stream.avail_out)
        }
        guard result == Z_STREAM_END else { throw Failure(code: result) }
        return output
    }

    /// A member that stores its text, up to `count` bytes of the text; headers of the member and its block come first.
    static func cut(_ text: [UInt8], to count: Int) throws -> [UInt8] {
        Array(try bytes(text, level: 0).prefix(15 + count))
    }
}
