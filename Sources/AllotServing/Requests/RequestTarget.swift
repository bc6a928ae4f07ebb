/// The target of a request as bytes, still percent-encoded. Its parts are decoded into a buffer, one after another.
struct RequestTarget {
    private let bytes: [UInt8]
    private let lastComponent: Range<Int>
    /// The part of the query that has not been read.
    private var query: Range<Int>
    private(set) var containsNull = false

    init(_ target: String) {
        bytes = Array(target.utf8)
        var start = 0
        var end = bytes.count
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "/") { start = index + 1 }
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
                end = index
                break
            }
        }
        // The router ignores slashes at the end of a path, and so must the search for the last part.
        var last = end
        if start == end {
            while last > 0, bytes[last - 1] == UInt8(ascii: "/") { last -= 1 }
            start = (bytes[..<last].lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1
        }
        lastComponent = start..<last
        query = end < bytes.count && bytes[end] == UInt8(ascii: "?") ? end + 1..<bytes.count : end..<end
    }

    /// The first value of an item of a target's query. A plus sign stands for itself, as tokens in base 64 have it, and
    /// so does a malformed escape. Returns `nil` if there is none.
    static func item(_ name: String, of text: String) -> String? {
        var (target, decoded) = (RequestTarget(text), [UInt8]())
        while let item = target.nextItem() {
            guard target.bytes[item.name].elementsEqual(name.utf8) else { continue }
            let value = target.decode(item.value, plusIsSpace: false, to: &decoded)
            return String(decoding: value.map { decoded[$0] } ?? target.bytes[item.value], as: UTF8.self)
        }
        return nil
    }

    var hasQuery: Bool { !query.isEmpty }

    mutating func decodeLastComponent(to decoded: inout [UInt8]) throws -> Range<Int> {
        guard let range = decode(lastComponent, plusIsSpace: false, to: &decoded) else {
            throw RequestFailure(.badRequest, "the path is not percent-encoded UTF-8; write a literal \"%\" as %25")
        }
        return range
    }

    /// Decodes the next item of the query to the end of a buffer, as in HTML forms; empty ones are skipped.
    mutating func decodeNextItem(to decoded: inout [UInt8]) throws -> (name: Range<Int>, value: Range<Int>)? {
        guard let item = nextItem() else { return nil }
        guard let name = decode(item.name, plusIsSpace: true, to: &decoded),
            let value = decode(item.value, plusIsSpace: true, to: &decoded)
        else {
            throw RequestFailure(.badRequest, "the query is not percent-encoded UTF-8; write a literal \"%\" as %25")
        }
        return (name, value)
    }

    /// All items of the query that are left, decoded; if there are more than `limit`, the first of them and one more.
    mutating func items(limit: Int = .max) throws -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        var decoded: [UInt8] = []
        while items.count <= limit, let (name, value) = try decodeNextItem(to: &decoded) {
            items.append((decoded.text(name), decoded.text(value)))
            decoded.removeAll(keepingCapacity: true)
        }
        return items
    }

    private mutating func nextItem() -> (name: Range<Int>, value: Range<Int>)? {
        while hasQuery {
            let end = bytes[query].firstIndex(of: UInt8(ascii: "&")) ?? query.upperBound
            let item = query.lowerBound..<end
            query = min(end + 1, query.upperBound)..<query.upperBound
            if item.isEmpty { continue }
            let equals = bytes[item].firstIndex(of: UInt8(ascii: "=")) ?? end
            return (item.lowerBound..<equals, min(equals + 1, end)..<end)
        }
        return nil
    }

    /// Appends the bytes that a part stands for (RFC 3986, section 2.1). Returns `nil` if it is malformed or not UTF-8.
    private mutating func decode(_ part: Range<Int>, plusIsSpace: Bool, to decoded: inout [UInt8]) -> Range<Int>? {
        let start = decoded.count
        var isASCII = true
        var index = part.lowerBound
        while index < part.upperBound {
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < part.upperBound, let high = Self.digit(bytes[index]),
                    let low = Self.digit(bytes[index + 1])
                else { return nil }
                byte = high << 4 | low
                index += 2
            } else if byte == UInt8(ascii: "+"), plusIsSpace {
                byte = UInt8(ascii: " ")
            }
            if byte == 0 { containsNull = true }
            if byte >= 0x80 { isASCII = false }
            decoded.append(byte)
        }
        let range = start..<decoded.count
        return isASCII || (try? UTF8Span(validating: decoded.span.extracting(range))) != nil ? range : nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}

extension [UInt8] { func text(_ part: Range<Int>) -> String { String(decoding: self[part], as: UTF8.self) } }
