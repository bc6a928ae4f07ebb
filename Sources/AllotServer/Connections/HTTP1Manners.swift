import NIOHTTP1

/// The meaning of a request's head of HTTP/1 for its connection (RFC 9112, and section 10.1.1 of RFC 9110).
struct HTTP1Manners {
    /// The refusal of the request; `nil` if it is accepted.
    private(set) var refusal: ConnectionRefusal?
    /// Whether the client waits for `100 Continue` before it sends the body.
    private(set) var expectsContinue = false
    /// Whether the connection ends after the answer.
    private(set) var isLast: Bool
    /// Whether the end of the connection is the end of the answer.
    private(set) var endsAnswerByClosing = false
    /// Whether the client knows neither chunks nor, unless it asks for them, connections that stay.
    let isOld: Bool
    /// The length of the body as it is announced.
    private(set) var length: Int?

    /// Before there is a request.
    init() {
        isLast = false
        isOld = false
    }

    init(_ head: HTTPRequestHead) {
        isOld = head.version.minor == 0
        isLast = !head.isKeepAlive || head.method == .CONNECT
        var hosts = 0
        var host = ""
        var isHostValid = true
        var codings = 0
        // The lengths of names tell most fields apart.
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 4 where name.lowercased() == "host":
                hosts += 1
                host = value
                isHostValid = value.utf8.allSatisfy(Self.isOfHost)
            case 6 where name.lowercased() == "expect" && !isOld:
                expectsContinue = value.lowercased() == "100-continue"
                if !expectsContinue {
                    refusal = .unmetExpectation
                }
            // After it the decoder reads no further requests.
            case 7 where name.lowercased() == "upgrade": isLast = true
            // The decoder takes numbers only, which may be too large.
            case 14 where name.lowercased() == "content-length": length = Int(value) ?? .max
            case 17 where name.lowercased() == "transfer-encoding":
                codings += 1
                if codings > 1 || isOld || value.lowercased() != "chunked" {
                    refusal = ConnectionRefusal(
                        .transferCoding,
                        "the only transfer coding is chunked, once, in HTTP/1.1; send chunked or a Content-Length")
                }
            default: break
            }
        }
        if hosts > 1 || hosts == 0 && !isOld {
            refusal = ConnectionRefusal(.host, "the request has \(hosts) fields Host; send exactly one")
        } else if !isHostValid {
            refusal = ConnectionRefusal(.host, "the field Host is not a name or an address with a port")
        } else if hosts > 0, let other = Self.authority(of: head.uri), other.lowercased() != host.lowercased() {
            refusal = ConnectionRefusal(.host, "the target is of another host than the field Host; send one in both")
        }
        refusal?.isForHead = head.method == .HEAD
        if codings == 0, (length ?? 0) == 0 { expectsContinue = false }
    }

    /// The authority in a target of absolute form, for which the field Host would not count (RFC 9112, section 3.2.2).
    /// Returns `nil` for other forms.
    private static func authority(of target: String) -> Substring? {
        guard !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") else { return nil }
        return target[scheme.upperBound...].prefix { !"/?#".contains($0) }
    }

    /// Whether a byte can be part of a host and port (RFC 3986, section 3.2).
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"): true
        default: byte.isLetterOrDigit || "_~%!$&'()*+,;=[]".utf8.contains(byte)
        }
    }

    /// Adapts the head of the answer. Returns `nil` if it can stay as it is.
    mutating func adapted(_ head: HTTPResponseHead) -> HTTPResponseHead? {
        guard isOld || isLast else { return nil }
        var head = head
        if isOld {
            // Keeps the body from being sent in chunks.
            head.version = .http1_0
            if head.status.mayHaveResponseBody && !head.headers.contains(name: "content-length") {
                (isLast, endsAnswerByClosing) = (true, true)
            }
        }
        head.headers.replaceOrAdd(name: "connection", value: isLast ? "close" : "keep-alive")
        return head
    }

    /// Makes the connection end after the answer.
    mutating func end() {
        isLast = true
    }
}

extension HTTPResponseStatus {
    /// Whether another head follows.
    var isInformational: Bool { (100..<200).contains(code) }
}

extension ConnectionRefusal {
    /// The refusal of what is not HTTP/1, or too long.
    init(_ error: HTTPParserError, isTargetTooLong: Bool) {
        switch error {
        case .headerOverflow: self = isTargetTooLong ? .longTarget : .largeHead
        case .unknown: self.init(.syntax, "the request is not valid HTTP/1.1")
        default:
            self.init(.syntax, "the request is not valid HTTP/1.1: \(error)")
        }
    }
}
