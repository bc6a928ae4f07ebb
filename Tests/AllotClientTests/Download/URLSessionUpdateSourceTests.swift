import Foundation
import TestSupport
import Testing

@testable import AllotClient

struct URLSessionUpdateSourceTests {
    static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"

    static func event(_ revision: String, id: String? = nil, boundary: String? = nil) -> String {
        let member = boundary.map { #""boundary":"\#($0)","# } ?? ""
        let data =
            #"{\#(member)"etag":"\#(revision)","lastModified":1,"revision":"\#(revision)","type":"refetchEvaluation"}"#
        return "id: \(id ?? revision)\nevent: message\ndata: \(data)\n\n"
    }

    @Test("Revisions arrive as they are sent")
    func revisionsComeAsTheyAreSent() async throws {
        let gates = [StubServer.Gate(), StubServer.Gate()]
        let server = try StubServer { _ in
            [
                .send(Self.head + Self.event("a")), .wait(gates[0]),
                .send(": alive\n\nretry: 2500\n" + Self.event("b")),
                .wait(gates[1]), .send("event: other\ndata: x\n\n" + #"data: {"type":"else"}"# + "\n\n"), .close,
            ]
        }
        let source = try URLSessionUpdateSource(server: server.url("/p"), token: "secret")
        var updates = source.updates().makeAsyncIterator()
        #expect(try await updates.next() == ServerUpdate(revision: "a"))
        gates[0].open()
        #expect(try await updates.next() == ServerUpdate(revision: "b", retry: 2.5))
        gates[1].open()
        #expect(try await updates.next() == nil)
        let request = try #require(server.requests.first)
        #expect(request.method == "GET")
        #expect(request.target == "/p/events")
        #expect(request.header("authorization") == "Bearer secret")
        #expect(request.header("accept") == "text/event-stream")
        #expect(request.header("last-event-id") == nil)
    }

    @Test("A message names the last boundary, and its ID is sent back as it is")
    func boundariesArrive() async throws {
        let (boundary, id) = ("2026-12-01T09:00:00Z", "a@2026-12-01T09:00:00Z")
        let server = try StubServer { _ in
            [.send(Self.head + Self.event("a", id: id, boundary: boundary)), .close]
        }
        let source = try URLSessionUpdateSource(server: server.url())
        for _ in 0..<2 {
            for try await update in source.updates() {
                #expect(update == ServerUpdate(revision: "a", boundary: boundary))
            }
        }
        #expect(server.requests.map { $0.header("last-event-id") } == [nil, id])
    }

    @Test("A silent connection is closed")
    func aSilentServerIsLeft() async throws {
        let server = try StubServer { _ in [.send(Self.head), .hang] }
        let source = try URLSessionUpdateSource(
            server: server.url(), clock: ClientClock(sleep: { _ in await server.waitForRequests(1) }))
        let failure = await Self.failure(source)
        #expect(failure?.kind == .timedOut)
        #expect(failure?.description.contains("sent nothing for 45.0 seconds") == true)
    }

    /// The watch over a silence ends with it: of those that were begun, only the last one's time is up.
    @Test("Any byte restarts the time of silence")
    func anyByteEndsASilence() async throws {
        let gate = StubServer.Gate()
        let server = try StubServer { _ in
            [.send(Self.head + Self.event("a")), .wait(gate), .send(":"), .send("\n" + Self.event("b")), .hang]
        }
        let source = try URLSessionUpdateSource(
            server: server.url(), clock: ClientClock(sleep: URLSessionDownloaderTests.never))
        var updates = source.updates().makeAsyncIterator()
        #expect(try await updates.next()?.revision == "a")
        gate.open()
        #expect(try await updates.next()?.revision == "b")
    }

    static let failures: [(answer: String, kind: RequestError.Kind)] = [
        ("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 7\r\n\r\n", .status(503)),
        ("HTTP/1.1 204 No Content\r\n\r\n", .status(204)),
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>", .malformed),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .malformed),
        (head + "data: <html>\n\n", .malformed), (head + "data: {}\n\n", .malformed),
        (head + "data: {\"revision\":1}\n\n", .malformed), (head + "data: {\"revision\":\"\"}\n\n", .malformed),
        (head + String(repeating: "x", count: ServerSentEvents.lineLimit + 1), .tooLarge),
        ("HTTP/1.1 302 Found\r\nLocation: http://localhost:1/\r\nContent-Length: 0\r\n\r\n", .status(302)),
        ("", .unreachable),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n: a\n\n\r\n",
            .unreachable
        ),
    ]

    @Test("Responses that are not event streams are errors", arguments: failures.indices)
    func otherAnswersAreErrors(index: Int) async throws {
        let (answer, kind) = Self.failures[index]
        let server = try StubServer { _ in [.send(answer), .close] }
        let failure = await Self.failure(try URLSessionUpdateSource(server: server.url(), token: "secret"))
        #expect(failure?.kind == kind)
        if kind == .status(503) { #expect(failure?.retryAfter == 7) }
    }

    @Test("Cancelling the task closes the connection", .mayHang)
    func cancellationEndsTheConnection() async throws {
        let left = AsyncStream.makeStream(of: Void.self)
        let server = try StubServer { _ in [.send(Self.head + Self.event("a")), .hang] }
        let source = try URLSessionUpdateSource(server: server.url())
        let task = Task { for try await _ in source.updates() { left.continuation.yield() } }
        for await _ in left.stream { break }
        task.cancel()
        try await task.value
        // A stream without a reader ends with its owner.
        do {
            let stream = source.updates()
            await server.waitForRequests(2)
            withExtendedLifetime(stream) {}
        }
        while server.connectionCount > 0 { await Task.yield() }
    }

    static func failure(_ source: URLSessionUpdateSource) async -> RequestError? {
        do {
            for try await _ in source.updates() {}
            return nil
        } catch { return error as? RequestError }
    }
}
