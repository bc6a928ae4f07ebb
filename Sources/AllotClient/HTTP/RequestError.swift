import AllotConfiguration
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A failure of a request to a server. Downloaders and senders of exposures throw it.
public struct RequestError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Kind: Sendable, Hashable {
        /// The server was not reached, or the connection broke.
        case unreachable
        /// The server did not answer in time.
        case timedOut
        /// The server answered with an unexpected status.
        case status(Int)
        /// The response is larger than the client accepts.
        case tooLarge
        /// The response is not what was requested: portals of wireless networks answer such.
        case malformed
        /// The request cannot be made.
        case invalidRequest
        /// The caller was cancelled.
        case cancelled
    }

    /// The kind of failure.
    public let kind: Kind
    /// The failure, and its remedy.
    public let description: String
    /// The delay before the next request, in seconds, if the server asks for one (RFC 9110, section 10.2.3).
    public let retryAfter: Double?

    /// Creates an error, for downloaders and senders of your own.
    public init(_ kind: Kind, _ description: String, retryAfter: Double? = nil) {
        (self.kind, self.description, self.retryAfter) = (kind, description, retryAfter)
    }

    /// Whether repeating the request may help: the server was not reached or not in time, something else answered in
    /// its place, it is busy (408, 425, 429), or it failed (5xx, except 501 and 505, which are permanent).
    var isTemporary: Bool {
        switch kind {
        case .unreachable, .timedOut, .malformed: true
        case .status(let status):
            [408, 425, 429].contains(status) || (500...599).contains(status) && ![501, 505].contains(status)
        case .tooLarge, .invalidRequest, .cancelled: false
        }
    }

    /// Whether repeating the request is of no use until the server or this app is changed. A rejected token (401) is
    /// not permanent: the next request may carry another one; see ``AccessToken``.
    var isPermanent: Bool { !isTemporary && kind != .cancelled && kind != .status(401) }
    /// Whether the server may have refused the request for what is in it, so that a part of it may be accepted.
    var concernsContents: Bool { [.status(400), .status(413), .status(422)].contains(kind) }
}

extension RequestError {
    /// The meaning of a failed transfer. The message names the server only, since paths and queries identify users.
    init(_ error: any Error, _ origin: String) {
        let failure = error as NSError
        let text = PrintableText(failure.localizedDescription).description
        switch failure.domain == NSURLErrorDomain ? URLError.Code(rawValue: failure.code) : .unknown {
        case .timedOut: self.init(.timedOut, "\(origin) did not answer in time; ask again later")
        case .cancelled: self.init(.cancelled, "the request was cancelled")
        case .appTransportSecurityRequiresSecureConnection:
            self.init(.invalidRequest, "\(origin) cannot be reached over http: \(text); use https")
        case .dataLengthExceedsMaximum: self.init(.tooLarge, "\(origin) sent too much: \(text)")
        default: self.init(.unreachable, "\(origin) was not reached: \(text); check the URL and the network")
        }
    }

    init(_ response: HTTPURLResponse, body: [UInt8], _ origin: String, now: Date) {
        var message = "\(origin) answered with status \(response.statusCode)"
        let excerpt = Self.excerpt(body)
        if !excerpt.isEmpty { message += ": \(excerpt)" }
        let fix: String? =
            switch response.statusCode {
            case 300...399: "redirections to other servers are not followed; give the server's own URL"
            case 401: "give the client a token"
            case 403: "give the client a token of the scope that the route needs"
            case 404, 405: "check the server's URL"
            case 408, 429, 500...599: "ask again later"
            default: nil
            }
        if let fix { message += "; \(fix)" }
        self.init(.status(response.statusCode), message, retryAfter: HTTPFields.retryAfter(response, now: now))
    }

    /// The message of an error in JSON, or else the start of the text, on one line.
    private static func excerpt(_ body: [UInt8]) -> String {
        let object = (try? JSONValue(parsing: body))?.asObject
        let message = ["error", "message", "errorDetails", "detail", "title"].lazy.compactMap { object?.text($0) }.first
        let text = message ?? String(decoding: body, as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return PrintableText(words, atMost: excerptLength).description
    }

    private static let excerptLength = 200
}
