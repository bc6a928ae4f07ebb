/// Parses server-sent events from bytes in parts of any size, according to the HTML standard (section 9.2.6).
struct ServerSentEvents {
    struct Event: Equatable {
        /// `message` unless the server sends another type.
        var type = "message"
        var data = ""
    }

    struct TooLong: Error {}

    static let lineLimit = 64 * 1024
    /// The maximal length of an event's data in bytes.
    static let dataLimit = 256 * 1024

    private(set) var lastEventID: String?
    private(set) var retry: Int?
    private var line: [UInt8] = []
    private var type: [UInt8] = []
    private var data: [UInt8] = []
    private var newID: String?
    private var followsCarriageReturn = false
    private var isAtStart = true

    init(lastEventID: String? = nil) {
        self.lastEventID = lastEventID
        newID = lastEventID
    }

    /// Reads bytes. Returns the events that they complete; only an empty line completes an event.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            let isSecondHalf = followsCarriageReturn && byte == UInt8(ascii: "\n")
            followsCarriageReturn = byte == UInt8(ascii: "\r")
            if isSecondHalf { continue }
            guard byte != UInt8(ascii: "\r"), byte != UInt8(ascii: "\n") else {
                if let event = try endLine() { events.append(event) }
                continue
            }
            guard line.count < Self.lineLimit else { throw TooLong() }
            line.append(byte)
        }
        return events
    }

    private mutating func endLine() throws(TooLong) -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        var text = line[...]
        if isAtStart, text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
        isAtStart = false
        guard !text.isEmpty else { return dispatch() }
        let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
        var value = text[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        // A comment has no name.
        try take(String(decoding: text[..<colon], as: UTF8.self), value)
        return nil
    }

    private mutating func take(_ name: String, _ value: ArraySlice<UInt8>) throws(TooLong) {
        switch name {
        case "event":
            type = Array(value)
        case "data":
            guard data.count + value.count < Self.dataLimit else { throw TooLong() }
            data += value
            data.append(UInt8(ascii: "\n"))
        case "id" where !value.contains(0):
            newID = String(decoding: value, as: UTF8.self)
        case "retry" where value.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }):
            if let milliseconds = Int(String(decoding: value, as: UTF8.self)) { retry = milliseconds }
        default:
            break
        }
    }

    private mutating func dispatch() -> Event? {
        lastEventID = newID
        defer {
            type.removeAll()
            data.removeAll()
        }
        guard !data.isEmpty else { return nil }
        var event = Event(data: String(decoding: data.dropLast(), as: UTF8.self))
        if !type.isEmpty { event.type = String(decoding: type, as: UTF8.self) }
        return event
    }
}
