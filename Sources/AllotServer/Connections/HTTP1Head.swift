import AllotServing

/// The head of a request of HTTP/1, and its meaning for the connection (RFC 9112, and section 10.1.1 of RFC 9110).
struct HTTP1Head {
    private(set) var request: ServiceRequest
    private(set) var refusal: ConnectionRefusal?
    /// Whether the client waits for `100 Continue` before it sends the body.
    private(set) var expectsContinue = false
    /// Whether the connection ends after the answer.
    private(set) var isLast: Bool
    /// Whether the client knows neither chunks nor, unless it asks for them, connections that stay.
    let isOld: Bool
    private(set) var length: Int?
    private(set) var isChunked = false
    var isHead: Bool { request.method == "HEAD" }
    var hasBody: Bool { isChunked || (length ?? 0) > 0 }

    init(_ request: ServiceRequest, isOld: Bool, isKept: Bool) {
        (self.request, self.isOld) = (request, isOld)
        isLast = !isKept || request.method == "CONNECT"
        var hosts = 0
        var host = ""
        var codings = 0
        // The lengths of names tell most fields apart.
        for (name, value) in request.headers {
            switch name.utf8.count {
            case 4 where name.isHeaderName("host"): (hosts, host) = (hosts + 1, value)
            case 6 where name.isHeaderName("expect") && !isOld:
                expectsContinue = value.lowercased() == "100-continue"
                if !expectsContinue { refusal = .unmetExpectation }
            // After it the decoder reads no further requests.
            case 7 where name.isHeaderName("upgrade"): isLast = true
            // The decoder takes numbers only, which may be too large.
            case 14 where name.isHeaderName("content-length"): length = Int(value) ?? .max
            case 17 where name.isHeaderName("transfer-encoding"):
                codings += 1
                isChunked = true
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
        } else if !host.utf8.allSatisfy(Self.isOfHost) {
            refusal = ConnectionRefusal(.host, "the field Host is not a name or an address with a port")
        } else if hosts > 0 {
            takeAuthority(host)
        }
        if !hasBody { expectsContinue = false }
    }

    /// Takes the authority off a target of absolute form, for which Host would not count (RFC 9112, section 3.2.2).
    private mutating func takeAuthority(_ host: String) {
        guard !request.target.hasPrefix("/"), let scheme = request.target.firstRange(of: "://") else { return }
        let rest = request.target[scheme.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        if authority.lowercased() != host.lowercased() {
            refusal = ConnectionRefusal(.host, "the target is of another host than the field Host; send one in both")
        }
        request.target = (rest[authority.endIndex...].hasPrefix("/") ? "" : "/") + rest[authority.endIndex...]
    }

    /// Whether a byte can be part of a host and port (RFC 3986, section 3.2).
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"): true
        default: byte.isLetterOrDigit || "_~%!$&'()*+,;=[]".utf8.contains(byte)
        }
    }
}
