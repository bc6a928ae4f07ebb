import AllotConfiguration
import Foundation
import Synchronization
import Testing

@testable import AllotClient

@Suite(.timeLimit(.minutes(1))) struct URLSessionExposureSenderTests {
    private static func send(_ response: String, token: String? = "secret") async throws
        -> (Result<ExposureAnswer, ExposureSendError>, request: String)
    {
        let server = try OneAnswerServer(response)
        let sender = URLSessionExposureSender(
            server: try #require(URL(string: "http://127.0.0.1:\(server.port)/base")), token: token)
        let result: Result<ExposureAnswer, ExposureSendError>
        do throws(ExposureSendError) {
            result = .success(try await sender.send([ExposureFixture.event("a")]))
        } catch {
            result = .failure(error)
        }
        return (result, server.request)
    }

    private static func response(_ status: String, _ body: String, _ headers: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(headers)\r\n\(body)"
    }

    @Test func sendsEventsAndReadsTheAnswer() async throws {
        let (result, request) = try await Self.send(
            Self.response(
                "200 OK", #"{"stored":1,"duplicates":2,"errors":[{"index":3,"error":"no"}]}"#,
                "Date: Sat, 21 Nov 2026 12:00:00 GMT\r\n"))
        #expect(
            try result.get()
                == ExposureAnswer(
                    stored: 1, duplicates: 2, failures: [.init(index: 3, message: "no")],
                    serverTime: ExposureFixture.now))
        #expect(request.hasPrefix("POST /base/exposures HTTP/1.1\r\n"))
        #expect(request.contains("Authorization: Bearer secret\r\n"))
        #expect(request.contains("Content-Type: application/json\r\n"))
        let body = JSONValue.object(["exposures": [ExposureFixture.event("a").json]])
        #expect(request.hasSuffix("\r\n\r\n" + body.canonicalText))
    }

    @Test(arguments: [
        ("<html>Welcome to our network</html>"), (""), ("{}"), (#"{"stored":1}"#), (#"{"stored":1,"duplicates":-1}"#),
        (#"{"stored":1,"duplicates":0,"errors":[{"error":"no"}]}"#), ("[]"), (#"{"stored":1,"duplic"#),
    ]) func whatIsNoAnswerIsNone(body: String) async throws {
        let (result, _) = try await Self.send(Self.response("200 OK", body))
        #expect(throws: ExposureSendError.self) { try result.get() }
        if case .failure(let error) = result { #expect(error.kind == .invalidAnswer && error.isTemporary) }
    }

    @Test(arguments: [
        ("503 Service Unavailable", "Retry-After: 7\r\n", 503, 7.0 as Double?),
        (
            "429 Too Many Requests",
            "Date: Sat, 21 Nov 2026 12:00:00 GMT\r\nRetry-After: Sat, 21 Nov 2026 12:01:00 GMT\r\n", 429, 60
        ),
        ("401 Unauthorized", "", 401, nil), ("413 Content Too Large", "Retry-After: soon\r\n", 413, nil),
        ("302 Found", "Location: http://127.0.0.1:1/\r\n", 302, nil),
    ]) func statuses(status: String, headers: String, code: Int, retryAfter: Double?) async throws {
        let (result, _) = try await Self.send(Self.response(status, "no", headers))
        guard case .failure(let error) = result else { return #expect(Bool(false), "no failure") }
        #expect(error.kind == .status(code))
        #expect(error.retryAfter == retryAfter)
    }

    @Test func aBrokenConnectionIsUnreachable() async throws {
        let (result, _) = try await Self.send("")
        guard case .failure(let error) = result else { return #expect(Bool(false), "no failure") }
        #expect(error.kind == .unreachable)
    }
}

/// Takes one connection, reads one request, and writes what it was told to.
private final class OneAnswerServer: Sendable {
    let port: UInt16
    private let received = Mutex("")

    struct Failure: Error {}

    init(_ response: String) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            let connection = accept(listener, nil, nil)
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while !Self.isWhole(bytes) {
                let count = read(connection, &buffer, buffer.count)
                guard count > 0 else { break }
                bytes += buffer[..<count]
            }
            received.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
            _ = send(connection, Array(response.utf8), response.utf8.count, Int32(MSG_NOSIGNAL))
            Foundation.close(connection)
            Foundation.close(listener)
        }
    }

    var request: String {
        received.withLock { $0 }
    }

    /// Whether the body is there that the head announces.
    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n"), let field = text.range(of: "Content-Length: ") else { return false }
        let size = Int(text[field.upperBound...].prefix { $0.isNumber }) ?? 0
        return text[end.upperBound...].utf8.count >= size
    }
}
