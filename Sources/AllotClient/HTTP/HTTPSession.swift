import AllotFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Receives a response in parts, in order, on one thread at a time.
protocol HTTPReceiver: AnyObject, Sendable {
    /// Receives the head.
    func receive(_ response: HTTPURLResponse)
    /// Receives a part of the body, decoded.
    func receive(_ bytes: Data)
    /// Ends: the response is complete, or something went wrong.
    func end(_ error: (any Error)?)
}

/// A `URLSession` that stores nothing, follows redirections to the same origin only, and passes responses to receivers.
///
/// Its owner ends it with ``finish()``; the system keeps it alive until then.
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

    /// A task that is not started yet.
    func task(_ request: URLRequest, _ receiver: some HTTPReceiver) -> URLSessionDataTask {
        let task = session.dataTask(with: request)
        delegate.register(receiver, task)
        return task
    }

    /// Releases the session when its tasks have ended.
    func finish() {
        session.finishTasksAndInvalidate()
    }
}

/// Passes the events of a session to the receiver of each task.
private final class HTTPSessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Transfer {
        let receiver: any HTTPReceiver
        let request: URLRequest
        var redirections = 0
    }

    /// The maximal number of redirections (as in the Fetch standard).
    private static let redirectionLimit = 20

    private let transfers = Lock<[Int: Transfer]>([:])

    func register(_ receiver: some HTTPReceiver, _ task: URLSessionTask) {
        guard let request = task.originalRequest else { return }
        transfers.withLock { $0[task.taskIdentifier] = Transfer(receiver: receiver, request: request) }
    }

    private func receiver(_ task: URLSessionTask) -> (any HTTPReceiver)? {
        transfers.withLock { $0[task.taskIdentifier]?.receiver }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { receiver(dataTask)?.receive(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        receiver(dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let transfer = transfers.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        transfer?.receiver.end(error)
    }

    /// Rejects requests for passwords, for which FoundationNetworking would wait forever. It then cancels the task, so
    /// that the response that asks for a password is all there is.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let response = (challenge.failureResponse ?? task.response) as? HTTPURLResponse else {
            // The system checks certificates.
            return completionHandler(.performDefaultHandling, nil)
        }
        receiver(task)?.receive(response)
        completionHandler(.rejectProtectionSpace, nil)
    }

    /// Follows redirections to the same origin only, since others must see neither the token nor the user's attributes,
    /// and only for requests without a body.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let original = transfers.withLock { transfers -> URLRequest? in
            transfers[task.taskIdentifier]?.redirections += 1
            guard let transfer = transfers[task.taskIdentifier], transfer.redirections <= Self.redirectionLimit else {
                return nil
            }
            return transfer.request
        }
        guard let original, let old = original.url.flatMap(HTTPOrigin.init),
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

    /// The origin of a URL. Returns `nil` if it is not an HTTP URL.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let standard = Self.ports[scheme],
            let host = url.host(percentEncoded: true)?.lowercased(), !host.isEmpty
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? standard
    }

    private static let ports = ["http": 80, "https": 443]

    /// The origin as a URL, without a user's name or password.
    var description: String {
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(scheme)://\(host)\(port == Self.ports[scheme] ? "" : ":\(port)")"
    }
}
