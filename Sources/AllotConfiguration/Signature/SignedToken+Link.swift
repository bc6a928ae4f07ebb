extension SignedToken {
    /// Reads a token, or a link that carries one: `SCHEME://override?token=HEADER.PAYLOAD.SIGNATURE`, with any scheme,
    /// host and path, as a tester's app receives it from a QR code or a message.
    ///
    /// - Throws: ``SignatureError`` as for a token; also for a link without one.
    public init(link: String) throws(SignatureError) {
        guard link.utf8.contains(UInt8(ascii: ":")) else {
            self = try SignedToken(link)
            return
        }
        let query = link.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        guard let item = query.split(separator: "&").first(where: { $0.hasPrefix("token=") }) else {
            throw SignatureError(.malformed, "the link has no token; it ends with ?token=HEADER.PAYLOAD.SIGNATURE")
        }
        try self.init(String(item.dropFirst("token=".count)))
    }

    /// The link that opens the app with this token. Returns `nil` unless the scheme is valid (a letter, then letters,
    /// digits, "+", "-" and "."), and not one that other programs open, who would see the token.
    package func link(scheme: String) -> String? {
        let isValid = scheme.utf8.allSatisfy { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
        guard isValid, let first = scheme.utf8.first, first.isLetterOrDigit, !first.isDigit,
            !Self.foreignSchemes.contains(scheme.lowercased())
        else { return nil }
        // A token has only characters that links take as they are.
        return "\(scheme)://override?token=\(text)"
    }

    private static let foreignSchemes: Set<String> = [
        "about", "blob", "data", "file", "ftp", "http", "https", "javascript", "mailto", "sms", "tel", "vbscript", "ws",
        "wss",
    ]
}
