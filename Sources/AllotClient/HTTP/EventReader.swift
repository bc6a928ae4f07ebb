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
