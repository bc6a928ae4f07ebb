import HTTPTypes

/// The hosts that requests may name, and the last one that was allowed, which most requests name again.
struct HostRule {
    private let names: Set<String>?
    private var allowedAuthority: String?

    /// - Parameter names: The allowed names, in lower case; `nil` for any.
    init(_ names: Set<String>?) {
        self.names = names
    }

    /// The refusal of a request. Returns `nil` if the request is accepted.
    mutating func refusal(of head: HTTPRequest) -> ConnectionRefusal? {
        guard let names, let authority = head.authority ?? head.headerFields[.hostField], authority != allowedAuthority
        else { return nil }
        guard names.contains(Self.host(of: authority)) else {
            return ConnectionRefusal(
                .host,
                "without tokens this server answers to the names of its own machine only, since a web page could send "
                    + "requests to any other; use localhost, or give the server tokens, or open it to every name")
        }
        allowedAuthority = authority
        return nil
    }

    /// The name or address in an authority, without the port.
    private static func host(of authority: String) -> String {
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
        let host = authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
        let isWhole = host.endIndex == authority.endIndex || authority[host.endIndex] == ":"
        return (isWhole ? String(host) : authority).lowercased()
    }
}
