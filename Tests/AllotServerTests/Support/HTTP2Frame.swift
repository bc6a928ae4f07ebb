import NIOCore
import NIOHPACK

/// A frame of HTTP/2, well-formed or not.
struct HTTP2Frame {
    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    /// The flags of several kinds.
    enum Flag {
        /// Of DATA and HEADERS: nothing follows on the stream.
        static let endStream: UInt8 = 0x1
        /// Of SETTINGS and PING: it is an answer.
        static let acknowledges: UInt8 = 0x1
        /// Of HEADERS and CONTINUATION: no continuation follows.
        static let endHeaders: UInt8 = 0x4
    }

    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    var kind: UInt8
    var flags: UInt8 = 0
    var stream = 0
    var payload: [UInt8] = []

    init(_ kind: Kind, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = []) {
        (self.kind, self.flags, self.stream, self.payload) = (kind.rawValue, flags, stream, payload)
    }

    /// Takes the first whole frame from bytes. Returns `nil` if there is none.
    init?(from bytes: inout [UInt8]) {
        guard bytes.count >= 9 else { return nil }
        let length = Int(Self.number(bytes[0..<3]))
        guard bytes.count >= 9 + length else { return nil }
        kind = bytes[3]
        flags = bytes[4]
        stream = Int(Self.number(bytes[5..<9]) & 0x7FFF_FFFF)
        payload = Array(bytes[9..<9 + length])
        bytes.removeFirst(9 + length)
    }

    var bytes: [UInt8] {
        Array(Self.bytes(UInt32(payload.count)).dropFirst()) + [kind, flags] + Self.bytes(UInt32(stream)) + payload
    }

    /// The first four bytes of the payload as a number: what a window grows by, or why a stream is reset.
    var number: UInt32 { payload.count >= 4 ? Self.number(payload[0..<4]) : 0 }

    // MARK: Kinds

    static func settings(_ settings: [(identifier: UInt16, value: UInt32)] = []) -> HTTP2Frame {
        HTTP2Frame(.settings, settings.flatMap { Array(bytes(UInt32($0.identifier)).suffix(2)) + bytes($0.value) })
    }

    static func windowUpdate(_ stream: Int, _ increment: UInt32) -> HTTP2Frame {
        HTTP2Frame(.windowUpdate, stream: stream, bytes(increment))
    }

    static func reset(_ stream: Int) -> HTTP2Frame { HTTP2Frame(.reset, stream: stream, bytes(8)) }

    static func data(_ stream: Int, _ bytes: [UInt8], ends: Bool = false) -> HTTP2Frame {
        HTTP2Frame(.data, flags: ends ? Flag.endStream : 0, stream: stream, bytes)
    }

    /// The head of a request.
    static func head(
        _ method: String, _ path: String, _ stream: Int, _ fields: [(String, String)] = [], ends: Bool = true
    ) -> HTTP2Frame {
        HTTP2Frame(
            .headers, flags: Flag.endHeaders | (ends ? Flag.endStream : 0), stream: stream,
            block(request(method, path) + fields))
    }

    static func get(_ path: String, _ stream: Int) -> HTTP2Frame { head("GET", path, stream) }

    static func request(_ method: String, _ path: String) -> [(String, String)] {
        [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)]
    }

    // MARK: HPACK

    /// Fields as literals that are not indexed, without Huffman's code.
    static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + text($0) + text($1) }
    }

    /// A field as a literal that is put into the dynamic table, where its index is 62.
    static func indexed(_ name: String, _ value: String) -> [UInt8] {
        [0x40] + text(name) + text(value)
    }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var (rest, length): (Int, [UInt8]) = (bytes.count - 127, [127])
        while rest >= 128 {
            length.append(UInt8(rest % 128 + 128))
            rest /= 128
        }
        return length + [UInt8(rest)] + bytes
    }

    /// The status in the head of an answer, which is encoded without a dynamic table. Returns `nil` for other blocks.
    var status: Int? {
        var (decoder, block) = (HPACKDecoder(allocator: ByteBufferAllocator()), ByteBuffer(bytes: payload))
        return (try? decoder.decodeHeaders(from: &block))?.first(name: ":status").flatMap { Int($0) }
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
