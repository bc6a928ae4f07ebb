import AllotConfiguration
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension DownloadError {
    /// What a failure of the transfer means. The message names the server only: paths and queries tell of users.
    init(_ error: any Error, _ origin: String) {
        let failure = error as NSError
        let text = PrintableText(failure.localizedDescription).description
        switch failure.domain == NSURLErrorDomain ? URLError.Code(rawValue: failure.code) : .unknown {
        case .timedOut:
            self.init(.timedOut, "\(origin) did not answer in time; ask again later")
        case .cancelled:
            self.init(.cancelled, "the request was cancelled")
        case .appTransportSecurityRequiresSecureConnection:
            self.init(.invalidRequest, "\(origin) cannot be asked: \(text); use https")
        case .dataLengthExceedsMaximum:
            self.init(.tooLarge, "\(origin) sent too much: \(text)")
        default:
            self.init(.unreachable, "\(origin) was not reached: \(text); check the URL and the network")
        }
    }

    /// A status that is no answer.
    ///
    /// - Parameter body: what came with it, or the start of it.
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
        self.init(
            .status(response.statusCode), message, retryAfter: HTTPFields.retryAfter(response, now: now))
    }

    /// The message in JSON that tells of an error, else the start of the text, on one line.
    private static func excerpt(_ body: [UInt8]) -> String {
        var text = String(decoding: body, as: UTF8.self)
        if case .object(let object)? = try? JSONValue(parsing: body) {
            for name in ["error", "message", "errorDetails", "detail", "title"] {
                guard case .string(let message)? = object[name] else { continue }
                text = message
                break
            }
        }
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let start = String(String.UnicodeScalarView(words.unicodeScalars.prefix(excerptLength)))
        return PrintableText(start).description + (start.unicodeScalars.count < words.unicodeScalars.count ? "…" : "")
    }

    private static let excerptLength = 200
}
