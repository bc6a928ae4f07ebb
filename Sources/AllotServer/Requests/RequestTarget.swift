import Hummingbird

/// The target of a request, taken apart as bytes: parts of `target`, still percent-encoded.
struct RequestTarget {
    let bytes: [UInt8]
    /// The last part of the path.
    let lastComponent: Range<Int>
    /// The names and values of the query, at most `limit` of them and one more.
    private(set) var items: [(name: Range<Int>, value: Range<Int>)] = []

    init(_ request: Request, limit: Int) {
        bytes = Array(request.uri.string.utf8)
        var start = 0
        var end = bytes.count
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "/") { start = index + 1 }
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
                end = index
                break
            }
        }
        // The router passes over slashes at the end, and so must the search for the last part.
        var last = end
        if start == end {
            while last > 0, bytes[last - 1] == UInt8(ascii: "/") { last -= 1 }
            start = (bytes[..<last].lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        }
        lastComponent = start..<last
        guard end < bytes.count, bytes[end] == UInt8(ascii: "?") else { return }
        items.reserveCapacity(8)
        var position = end + 1
        while position < bytes.count, items.count <= limit {
            var equals = -1
            var next = position
            while next < bytes.count, bytes[next] != UInt8(ascii: "&") {
                if equals < 0, bytes[next] == UInt8(ascii: "=") { equals = next }
                next += 1
            }
            if next > position {
                let name = position..<(equals < 0 ? next : equals)
                items.append((name, equals < 0 ? next..<next : equals + 1..<next))
            }
            position = next + 1
        }
    }

    /// The bytes of a part.
    func text(_ range: Range<Int>, decodesPlus: Bool) -> String? {
        PercentDecoding.text(bytes.span.extracting(range), decodesPlus: decodesPlus)
    }
}
