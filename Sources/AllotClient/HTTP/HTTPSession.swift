import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Takes what a server sends, in order, from one thread at a time.
protocol HTTPReceiver: AnyObject, Sendable {
    /// The head has come.
    func receive(_ response: HTTPURLResponse)
    /// Some of the body has come, decoded.
    func receive(_ bytes: Data)
    /// No more comes: all is there, or something went wrong.
    func end(_ error: (any Error)?)
}

/// A `URLSession` that keeps nothing, follows redirections to the same origin only, and passes what comes to receivers.
///
/// Its owner ends it with ``finish()``, for the system holds it until then.
struct HTTPSession: Sendable {
    private let session: URLSession
    private let delegate = HTTPSessionDelegate()

    init(configure: (URLSessionConfiguration) -> Void) {
        let configuration = URLSessionConfiguration.ephemeral
        // The client has its own cache, and a stale answer would be worse than none.
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        configure(configuration)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    /// A task that has not begun.
    func task(_ request: URLRequest, _ receiver: some HTTPReceiver) -> URLSessionDataTask {
        let task = session.dataTask(with: request)
        delegate.register(receiver, task)
        return task
    }

    /// Lets go of the session when its tasks have ended.
    func finish() {
        session.finishTasksAndInvalidate()
    }
}

/// Passes what a session tells to the receiver of each task.
private final class HTTPSessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Transfer {
        let receiver: any HTTPReceiver
        let request: URLRequest
        var redirections = 0
    }

    /// How many redirections are followed (the Fetch standard's number).
    private static let redirectionLimit = 20

    private let transfers = Mutex<[Int: Transfer]>([:])

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

    /// Answers to passwords that are asked for: there are none. FoundationNetworking would wait for one without end, and
    /// cancels the task when there is none; the answer that asks is all that is left of it.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let response = (challenge.failureResponse ?? task.response) as? HTTPURLResponse else {
            // The check of a certificate is the system's.
            return completionHandler(.performDefaultHandling, nil)
        }
        receiver(task)?.receive(response)
        completionHandler(.rejectProtectionSpace, nil)
    }

    /// Follows to the same origin only, for any other must not see the token, nor what is known of the user; and only
    /// requests without a body.
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
            // Some systems leave out what was posted, which is part of the question.
            original.httpBody == nil, request.httpMethod == original.httpMethod
        else { return completionHandler(nil) }
        var request = request
        // Some systems leave the token out.
        for (name, value) in original.allHTTPHeaderFields ?? [:] where request.value(forHTTPHeaderField: name) == nil {
            request.setValue(value, forHTTPHeaderField: name)
        }
        completionHandler(request)
    }
}

/// Scheme, host and port: who gets a request (RFC 9110, section 4.3.1).
struct HTTPOrigin: Sendable, Equatable, CustomStringConvertible {
    private let scheme: String
    private let host: String
    private let port: Int

    /// The origin of a URL; `nil` when it has none over HTTP.
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
