import AllotFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession` that stores nothing, and follows redirections to the same origin only. The system keeps it alive
/// until ``finish()``.
struct HTTPSession: Sendable {
    let clock: ClientClock
    private let session: URLSession
    private let delegate = HTTPSessionDelegate()

    init(clock: ClientClock = ClientClock(), configure: (URLSessionConfiguration) -> Void = { _ in }) {
        self.clock = clock
        let configuration = URLSessionConfiguration.ephemeral
        // The client has its own cache; a stale response would be worse than none.
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        configure(configuration)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// Sends a request once and waits for the complete response, of which a reader takes the body. The timeout is for
    /// the whole response; with a reader, for each part of it. A status other than the given ones is an error, except
    /// 304 with `acceptsUnchanged` for a request with an entity tag.
    func answer(
        _ request: URLRequest, statuses: ClosedRange<Int> = 200...200, acceptsUnchanged: Bool = false,
        limit: Int = .max, timeout: Duration, reader: EventReader? = nil
    ) async throws(RequestError) -> TransferredResponse {
        guard let origin = request.url.flatMap(HTTPOrigin.init)?.description else {
            throw RequestError(.invalidRequest, "the request's URL is not an http or https URL; check it")
        }
        #if canImport(FoundationNetworking)
            // Foundation on Linux polls without a pause for the request that opened a connection, as long as it lasts.
            // On an open connection a request takes no processor while it waits.
            if reader != nil {
                var head = request
                head.httpMethod = "HEAD"
                _ = try await answer(head, statuses: 0...999, timeout: timeout)
            }
        #endif
        var request = request
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.httpShouldHandleCookies = false
        // The system's timeout applies to each part. Of a stream the deadline detects silence instead.
        request.timeoutInterval = reader == nil ? max(timeout / .seconds(1), 0.001) : 604_800
        let transfer = HTTPTransfer(
            request, origin: origin, limit: limit, timeout: timeout, sleep: clock.sleep, reader: reader)
        let answer = try await withTaskCancellationHandler {
            await transfer.answer {
                let task = session.dataTask(with: transfer.request)
                delegate.register(transfer, task)
                return task
            }
        } onCancel: {
            transfer.fail(RequestError(.cancelled, "the request was cancelled"))
        }.get()
        let isConfirmation =
            acceptsUnchanged && answer.response.statusCode == 304
            && request.value(forHTTPHeaderField: "If-None-Match") != nil
        guard statuses.contains(answer.response.statusCode) || isConfirmation else {
            throw RequestError(answer.response, body: answer.body, origin, now: clock.now())
        }
        return answer
    }

    /// Requests a file. The timeout is that of a small one: each 16 KiB of the limit may take a second more.
    func file(_ request: URLRequest, limit: Int, timeout: Duration) async throws(RequestError) -> [UInt8] {
        guard request.url.flatMap(HTTPOrigin.init) != nil else {
            throw RequestError(.invalidRequest, "its URL is not an http or https URL; correct it in the definitions")
        }
        return try await answer(request, limit: limit, timeout: timeout + .seconds(limit / 16_384)).body
    }

    func finish() { session.finishTasksAndInvalidate() }
}

private final class HTTPSessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let transfers = Lock<[Int: HTTPTransfer]>([:])

    func register(_ transfer: HTTPTransfer, _ task: URLSessionTask) {
        transfers.withLock { $0[task.taskIdentifier] = transfer }
    }

    private func transfer(_ task: URLSessionTask) -> HTTPTransfer? { transfers.withLock { $0[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { transfer(dataTask)?.receive(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error)
    }

    /// Rejects requests for passwords, for which FoundationNetworking would wait forever. The task is then cancelled,
    /// so that the response that asks for a password is all there is.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let response = (challenge.failureResponse ?? task.response) as? HTTPURLResponse else {
            // The system checks certificates.
            return completionHandler(.performDefaultHandling, nil)
        }
        transfer(task)?.receive(response)
        completionHandler(.rejectProtectionSpace, nil)
    }

    /// Follows redirections to the same origin, since others must see neither token nor attributes, without a body.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let original = transfer(task)?.redirectedRequest(), let old = original.url.flatMap(HTTPOrigin.init),
            let new = request.url.flatMap(HTTPOrigin.init), old == new,
            // Some systems omit the body, which is part of the request.
            original.httpBody == nil, request.httpMethod == original.httpMethod
        else { return completionHandler(nil) }
        var request = request
        // Some systems omit the token.
        for (name, value) in original.allHTTPHeaderFields ?? [:] where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        completionHandler(request)
    }
}

/// Scheme, host and port: the receiver of a request (RFC 9110, section 4.3.1).
struct HTTPOrigin: Sendable, Equatable, CustomStringConvertible {
    private let scheme: String
    private let host: String
    private let port: Int

    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let standard = Self.ports[scheme],
            let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty
        else { return nil }
        (self.scheme, self.host, port) = (scheme, host, url.port ?? standard)
    }

    private static let ports = ["http": 80, "https": 443]

    /// The origin as a URL, without a user's name or password.
    var description: String {
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(scheme)://\(host)\(port == Self.ports[scheme] ? "" : ":\(port)")"
    }
}
