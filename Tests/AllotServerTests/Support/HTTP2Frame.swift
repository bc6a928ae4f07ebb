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

    /// The status of an answer, which is its first field. Returns `nil` if it is written in no known way.
    var status: Int? {
        guard let first = payload.first else { return nil }
        // Without a dynamic table, updates of its size may come first.
        if first & 0xE0 == 0x20 {
            var rest = self
            rest.payload.removeFirst()
            return rest.status
        }
        if let known = [0x88: 200, 0x89: 204, 0x8A: 206, 0x8B: 304, 0x8C: 400, 0x8D: 404, 0x8E: 500][first] {
            return known
        }
        guard [0x08, 0x18, 0x48].contains(first), payload.count > 2 else { return nil }
        let text = payload[2...].prefix(Int(payload[1] & 0x7F))
        return Int(payload[1] & 0x80 == 0 ? String(decoding: text, as: UTF8.self) : Self.digits(text))
    }

    /// Digits in Huffman's code of HPACK.
    private static func digits(_ bytes: ArraySlice<UInt8>) -> String {
        var bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }[...]
        func number(_ count: Int) -> UInt8 { bits.prefix(count).reduce(0) { $0 << 1 | $1 } }
        var text = ""
        while bits.count >= 5 {
            // 0, 1 and 2 take five bits, the others six.
            if number(5) < 3 {
                text += String(number(5))
                bits.removeFirst(5)
            } else if bits.count >= 6, (25...31).contains(number(6)) {
                text += String(number(6) - 22)
                bits.removeFirst(6)
            } else {
                break
            }
        }
        return text
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
