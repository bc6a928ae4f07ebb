import AllotConfiguration
import AllotFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class EventReader: Sendable {
    private let events: Lock<ServerSentEvents>
    private let origin: String
    private let receive: @Sendable (ServerUpdate) -> Void
    private let noteID: @Sendable (String) -> Void

    init(
        lastEventID: String?, origin: String, receive: @escaping @Sendable (ServerUpdate) -> Void,
        noteID: @escaping @Sendable (String) -> Void
    ) {
        events = Lock(ServerSentEvents(lastEventID: lastEventID))
        (self.origin, self.receive, self.noteID) = (origin, receive, noteID)
    }

    func check(_ response: HTTPURLResponse) throws(RequestError) {
        let type = (response.value(forHTTPHeaderField: "Content-Type") ?? "").prefix { $0 != ";" }
        guard type.trimmingCharacters(in: .whitespaces).lowercased() == "text/event-stream" else {
            throw RequestError(
                .malformed,
                "\(origin) answered with \(QuotedText(String(type))) instead of text/event-stream; check the URL")
        }
    }

    func read(_ bytes: Data) throws(RequestError) {
        let (new, id, retry): ([ServerSentEvents.Event], String?, Int?)
        do throws(ServerSentEvents.TooLong) {
            (new, id, retry) = try events.withLock { (events) throws(ServerSentEvents.TooLong) in
                (try events.read(bytes), events.lastEventID, events.retry)
            }
        } catch {
            throw RequestError(.tooLarge, "\(origin) sent a line or an event that is too long; check the server")
        }
        if let id { noteID(id) }
        for event in new where event.type == "message" {
            if let update = try update(event, retry: retry.map { Double($0) / 1000 }) { receive(update) }
        }
    }

    private func update(_ event: ServerSentEvents.Event, retry: Double?) throws(RequestError) -> ServerUpdate? {
        guard let message = (try? JSONValue(parsing: Array(event.data.utf8)))?.asObject else {
            throw RequestError(.malformed, "\(origin) sent a message that is not a JSON object; check the server")
        }
        guard (message["type"] ?? Self.refetch) == Self.refetch else { return nil }
        guard let revision = message.text("revision"), !revision.isEmpty else {
            throw RequestError(.malformed, "\(origin) sent a message without a revision; check the server")
        }
        return ServerUpdate(revision: revision, boundary: message.text("boundary"), retry: retry)
    }

    /// OFREP's type of messages that announce another configuration.
    private static let refetch: JSONValue = "refetchEvaluation"
}

/// Parses server-sent events from bytes in parts of any size, according to the HTML standard (section 9.2.6).
struct ServerSentEvents {
    struct Event: Equatable {
        /// `message` unless the server sends another type.
        var type = "message"
        var data = ""
    }

    struct TooLong: Error {}

    static let lineLimit = 64 * 1024
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
        case "event": type = Array(value)
        case "data":
            guard data.count + value.count < Self.dataLimit else { throw TooLong() }
            data += value
            data.append(UInt8(ascii: "\n"))
        case "id" where !value.contains(0): newID = String(decoding: value, as: UTF8.self)
        case "retry" where value.allSatisfy(\.isDigit): retry = Int(String(decoding: value, as: UTF8.self)) ?? retry
        default: break
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
