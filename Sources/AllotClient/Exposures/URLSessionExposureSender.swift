import AllotConfiguration
public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends exposures to `POST /exposures` of an Allot server.
public final class URLSessionExposureSender: ExposureSender {
    private let address: URL
    private let token: String?
    private let timeout: Double
    private let session: URLSession

    /// Sends to a server.
    ///
    /// - Parameters:
    ///   - server: the server's address, `https://config.example.com`; the path of the route is added to it.
    ///   - token: the bearer token of the scope `exposures`; `nil` for a server that asks for none.
    ///   - timeout: how long a request may take in all, in seconds.
    public init(server: URL, token: String? = nil, timeout: Double = 30) {
        address = server.appendingPathComponent("exposures")
        self.token = token
        self.timeout = timeout
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = timeout
        configuration.httpShouldSetCookies = false
        // A redirected POST would arrive as a GET, and the token perhaps elsewhere.
        session = URLSession(configuration: configuration, delegate: RedirectionRefusal(), delegateQueue: nil)
    }

    deinit {
        session.invalidateAndCancel()
    }

    public func send(_ events: [ExposureEvent]) async throws(ExposureSendError) -> ExposureAnswer {
        var request = URLRequest(url: address, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: timeout)
        request.httpMethod = "POST"
        request.httpBody = Data((["exposures": .array(events.map(\.json))] as JSONValue).canonicalBytes)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let body: Data
        let response: URLResponse
        do {
            (body, response) = try await session.data(for: request)
        } catch {
            throw Self.failure(error)
        }
        guard let response = response as? HTTPURLResponse else {
            throw ExposureSendError(.invalidAnswer, "\(address) answered with no HTTP; give an address of https")
        }
        let serverTime = response.value(forHTTPHeaderField: "Date").flatMap(HTTPTime.date)
        guard (200...299).contains(response.statusCode) else {
            let reason = PrintableText(String(decoding: body.prefix(200), as: UTF8.self))
            throw ExposureSendError(
                .status(response.statusCode), "\(address) answered \(response.statusCode): \(reason)",
                retryAfter: response.value(forHTTPHeaderField: "Retry-After").flatMap {
                    HTTPTime.seconds($0, from: serverTime ?? Date())
                })
        }
        guard let answer = ExposureAnswer(Array(body), serverTime: serverTime) else {
            throw ExposureSendError(
                .invalidAnswer,
                "\(address) answered \(response.statusCode) with something that is no answer to exposures")
        }
        return answer
    }

    private static func failure(_ error: any Error) -> ExposureSendError {
        let reason = error.localizedDescription
        switch (error as? URLError)?.code {
        case .cancelled: return ExposureSendError(.cancelled, "sending was stopped")
        case .timedOut: return ExposureSendError(.timedOut, "the server did not answer in time: \(reason)")
        default:
            if error is CancellationError { return ExposureSendError(.cancelled, "sending was stopped") }
            return ExposureSendError(.unreachable, "the server was not reached: \(reason)")
        }
    }
}

/// Takes a redirection for the answer.
private final class RedirectionRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension ExposureAnswer {
    /// Reads a server's answer, `{"stored": 2, "duplicates": 0, "errors": [{"index": 1, "error": "…"}]}`; `nil` for
    /// anything else.
    init?(_ body: [UInt8], serverTime: Date?) {
        guard case .object(let members)? = try? JSONValue(parsing: body), let stored = members.count("stored"),
            let duplicates = members.count("duplicates")
        else { return nil }
        var failures: [Failure] = []
        if let errors = members["errors"] {
            guard case .array(let elements) = errors else { return nil }
            for element in elements {
                // Passing over one would take an event for stored that is not.
                guard case .object(let failure) = element, let index = failure.count("index") else { return nil }
                failures.append(Failure(index: index, message: failure.text("error") ?? "the server gives no reason"))
            }
        }
        self.init(stored: stored, duplicates: duplicates, failures: failures, serverTime: serverTime)
    }
}

extension JSONObject {
    /// The whole number under a name, 0 or more; `nil` for anything else.
    fileprivate func count(_ name: String) -> Int? {
        guard case .number(let number)? = self[name], let count = Int(number.text), count >= 0 else { return nil }
        return count
    }
}

/// Times in the headers of HTTP.
enum HTTPTime {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7); `nil` for anything else.
    static func date(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]), (1970...9999).contains(year)
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2])
        else { return nil }
        let days = ExposureTime.days(year, month + 1, day)
        return Date(timeIntervalSince1970: Double(((days * 24 + time[0]) * 60 + time[1]) * 60 + time[2]))
    }

    /// Reads `Retry-After` (RFC 9110, section 10.2.3): seconds, or a time; `nil` for anything else.
    static func seconds(_ text: String, from now: Date) -> Double? {
        if let seconds = Int(text) { return seconds >= 0 ? Double(seconds) : nil }
        return date(text).map { max(0, $0.timeIntervalSince(now)) }
    }
}
