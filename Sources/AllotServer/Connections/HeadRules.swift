import AllotServing

/// The rules for heads of requests of any version, and the last host that was allowed, which most requests name again.
struct HeadRules {
    private let hosts: Set<String>?
    private var allowedHost: String?
    /// The refusal of what is not a probe, on a connection that is kept for probes.
    private let reserve: ConnectionRefusal?
    /// Refuses with `reserve` what is not a probe; any requests are accepted without it.
    init(_ hosts: Set<String>?, reserve: ConnectionRefusal?) { (self.hosts, self.reserve) = (hosts, reserve) }
    /// Whether only probes are answered, one on each connection.
    var isReserved: Bool { reserve != nil }

    mutating func refusal(of request: ServiceRequest) -> ConnectionRefusal? {
        if request.target.utf8.contains(UInt8(ascii: "#")) {
            return ConnectionRefusal(.syntax, "the target contains a #, which browsers never send; write it as %23")
        }
        return hostRefusal(of: request) ?? (Self.isProbe(request) ? nil : reserve)
    }

    private mutating func hostRefusal(of request: ServiceRequest) -> ConnectionRefusal? {
        guard let hosts, let authority = request.header("host"), authority != allowedHost else { return nil }
        guard hosts.contains(Self.host(of: authority)) else {
            return ConnectionRefusal(
                .host,
                "without tokens this server answers to the names of its own machine only, since a web page could send "
                    + "requests to any other; use localhost, or give the server tokens, or open it to every name")
        }
        allowedHost = authority
        return nil
    }

    private static func isProbe(_ request: ServiceRequest) -> Bool {
        request.path == "/metrics" || request.path.hasPrefix("/health/")
    }

    /// The name or address in an authority, without the port.
    private static func host(of authority: String) -> String {
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
        let host = authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
        let isWhole = host.endIndex == authority.endIndex || authority[host.endIndex] == ":"
        return (isWhole ? String(host) : authority).lowercased()
    }
}
