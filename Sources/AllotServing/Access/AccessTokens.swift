import AllotConfiguration
import AllotCore
import AllotFiles

/// A right of a bearer of a token.
package enum AccessScope: String, Sendable, CaseIterable {
    /// Fetch configurations and flags, and subscribe to changes.
    case configuration
    case exposures
    /// Read explanations, which show definitions and forced units, and stored exposures.
    case explain
    case metrics
    /// Make tokens that let testers' devices use other settings, and compare what devices read out.
    case override
    case edit
}

/// The bearer of a token that has a name.
package struct AccessBearer: Sendable {
    package let name: String
    private let digest: [UInt8]

    fileprivate init(name: String, token: [UInt8]) {
        self.name = name
        digest = SHA256.digest(of: token)
    }

    /// The text by which the bearer confirms what has these digests. Only the token's holder can make it.
    package func confirmation(of digests: [UInt8]) -> String { SHA256.hexadecimal(SHA256.digest(of: digest + digests)) }
}

/// The kind of a route's callers, which decides in what ways requests can carry a token.
package enum RouteCaller: Sendable {
    /// Programs set headers: `Authorization: Bearer`, or `X-API-Key`.
    case program
    /// Event sources of browsers cannot, and may have it in the query too: `access_token` (RFC 6750, section 2.3).
    case eventSource
    /// People in browsers type it in as a password, with any user name (RFC 7617).
    case person
}

/// Bearer tokens and what each may do. `Sendable`.
///
/// ```swift
/// let tokens = try AccessTokens(
///     parsing: "configuration,exposures 4f9pWcT0uX2vR8mK1sQe", name: "tokens")
/// ```
///
/// Only digests of tokens are kept. A token is compared with all of them, whichever matches, so that the response time
/// reveals nothing about them. An ``AccessTokenStore`` holds those that are current.
public struct AccessTokens: Sendable {
    private struct Entry: Sendable {
        let digest: InlineArray<8, UInt32>
        let scopes: [AccessScope]
        let name: String?

        /// Compares all of the digest, wherever it differs.
        func matches(_ other: InlineArray<8, UInt32>) -> Bool {
            var difference: UInt32 = 0
            for index in 0..<8 { difference |= digest[index] ^ other[index] }
            return difference == 0
        }
    }

    /// An error in a list of tokens.
    public struct Failure: Error, CustomStringConvertible, Sendable {
        /// The place, what is wrong, and how to fix it.
        public let description: String
    }

    private let entries: [Entry]
    /// The fewest characters of a token: about as many as 128 random bits take in base 64.
    static let minimumLength = 20

    /// Reads a list: on each line the scopes, joined with commas, then white space and the token. A line with the scope
    /// `edit` ends with the name of the bearer, such as `Ada Lovelace <ada@example.com>`. Empty lines and lines that
    /// begin with "#" are skipped. Messages call the list `name`.
    ///
    /// - Throws: ``Failure`` with the line at fault.
    public init(parsing text: String, name: String) throws(Failure) {
        var entries: [Entry] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split { $0 == " " || $0 == "\t" }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            func failure(_ fault: String) -> Failure { Failure(description: "\(name):\(index + 1): \(fault)") }
            let parts = first.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let isNamed = parts.contains(AccessScope.edit.rawValue)
            guard isNamed ? words.count > 2 : words.count == 2 else {
                throw failure(
                    isNamed
                        ? "a line with the scope edit has a name after the token, such as: explain,edit TOKEN Ada"
                        : "a line has scopes and a token, such as: configuration,exposures TOKEN")
            }
            if let part = parts.first(where: { AccessScope(rawValue: $0) == nil }) {
                let known = AccessScope.allCases.map(\.rawValue).joined(separator: ", ")
                throw failure("there is no scope \(QuotedText(part)); the scopes are \(known)")
            }
            let bearer = isNamed ? words[2...].joined(separator: " ") : nil
            if let bearer, !Self.isAuthor(bearer) {
                // Without it, as it may be the token.
                throw failure(
                    "the name after the token cannot be the author of a commit; write one without marks at its ends, "
                        + "such as: Ada Lovelace <ada@example.com>")
            }
            let token = Array(words[1].utf8)
            guard token.count >= Self.minimumLength else {
                throw failure(
                    "the token has fewer than \(Self.minimumLength) characters; make one with: openssl rand -base64 24")
            }
            let scopes = parts.compactMap { AccessScope(rawValue: $0) }
            entries.append(Entry(digest: SHA256.words(of: token.span), scopes: scopes, name: bearer))
        }
        guard !entries.isEmpty else { throw Failure(description: "\(name): there are no tokens; add one") }
        self.entries = entries
    }

    /// Reads the list in a file.
    ///
    /// - Throws: ``Failure`` with the line at fault, or why the file cannot be read.
    public init(contentsOf path: String) throws(Failure) { self = try Self.read(path, mayWait: true) { _ in } }

    /// Reads the list in a file, which may be a pipe if it `mayWait`; `warn` gets a fault of its permissions.
    static func read(_ path: String, mayWait: Bool, warn: (String) -> Void) throws(Failure) -> AccessTokens {
        let file: SecretFile
        do throws(FileError) {
            file = try SecretFile(path: path, mayWait: mayWait)
        } catch { throw Failure(description: error.description) }
        if let warning = file.warning("the tokens") { warn(warning) }
        return try AccessTokens(parsing: file.text, name: path)
    }

    /// Whether Git takes a text unchanged as an author: a name, and perhaps an address in angle brackets after it.
    private static func isAuthor(_ text: String) -> Bool {
        guard text.utf8.count <= 200, !text.unicodeScalars.contains(where: PrintableText.isHidden) else { return false }
        let parts = text.split(separator: " <", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            let address = parts[1].dropLast()
            let sides = address.split(separator: "@", omittingEmptySubsequences: false)
            guard parts[1].hasSuffix(">"), sides.count == 2, !address.contains(" "), sides.allSatisfy(isWhole) else {
                return false
            }
        }
        return isWhole(parts[0]) && parts[0].contains { $0.isLetter || $0.isNumber }
    }

    /// Whether Git drops nothing of a part: it drops angle brackets, and some marks at the ends.
    private static func isWhole(_ part: Substring) -> Bool {
        let scalars = part.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { return false }
        let marks = " .,:;\"'\\".unicodeScalars
        return !scalars.contains("<") && !scalars.contains(">") && !marks.contains(first) && !marks.contains(last)
    }

    var count: Int { entries.count }

    private func entries(of token: Substring) -> [Entry] {
        var token = token
        let digest = token.withUTF8 { SHA256.words(of: Span(_unsafeElements: $0)) }
        return entries.filter { $0.matches(digest) }
    }

    /// The bearer of a request's token that has a scope and a name. Returns `nil` if there is none.
    package func bearer(of scope: AccessScope, _ request: ServiceRequest, from caller: RouteCaller) -> AccessBearer? {
        for token in Self.tokens(request, from: caller) {
            for entry in entries(of: token) where entry.scopes.contains(scope) {
                if let name = entry.name { return AccessBearer(name: name, token: Array(token.utf8)) }
            }
        }
        return nil
    }

    /// Throws 401 without a known token, 403 if none has the scope; 401 again for people, whose browsers then ask.
    func require(_ scope: AccessScope, _ request: ServiceRequest, from caller: RouteCaller) throws(RequestFailure) {
        let tokens = Self.tokens(request, from: caller)
        // Browsers ask for a name and a password if they are challenged so, and not for a bearer token.
        let isPerson = caller == .person && request.prefersPage
        func unauthorized(_ message: String) -> RequestFailure {
            let challenge = isPerson ? "Basic realm=\"allot\", charset=\"UTF-8\"" : "Bearer realm=\"allot\""
            return RequestFailure(.unauthorized, message, headers: [("WWW-Authenticate", challenge)])
        }
        guard !tokens.isEmpty else {
            throw unauthorized(
                isPerson
                    ? "sign in with any user name and a token of the server as the password"
                    : "send a token, as \"Authorization: Bearer TOKEN\"")
        }
        let granted = tokens.flatMap { entries(of: $0).flatMap(\.scopes) }
        guard !granted.isEmpty else { throw unauthorized("the token is unknown") }
        guard granted.contains(scope) else {
            let message = "the token does not have the scope \(scope.rawValue)"
            // A browser would send it again and again, unless it is asked for another.
            throw isPerson ? unauthorized(message) : RequestFailure(.forbidden, message)
        }
    }

    /// The tokens of a request: a proxy may add one, and one that is wrong does not take away what another allows.
    private static func tokens(_ request: ServiceRequest, from caller: RouteCaller) -> [Substring] {
        var tokens: [Substring] = []
        if let value = request.header("authorization") {
            if let token = credentials(value, "bearer") { tokens.append(token) }
            if caller == .person, let token = credentials(value, "basic").flatMap(password) { tokens.append(token) }
        }
        if let key = request.header("x-api-key") { tokens.append(key[...]) }
        if caller == .eventSource, let token = RequestTarget.item("access_token", of: request.target) {
            tokens.append(token[...])
        }
        return tokens
    }

    /// The credentials after the name of a scheme, with one or more spaces (RFC 9110, section 11.4).
    private static func credentials(_ value: String, _ scheme: String) -> Substring? {
        let name = value.utf8.prefix { $0 != UInt8(ascii: " ") }
        guard name.count == scheme.utf8.count, Substring(name).lowercased() == scheme else { return nil }
        let token = Substring(value.utf8[name.endIndex...].drop { $0 == UInt8(ascii: " ") })
        return token.isEmpty ? nil : token
    }

    /// The password of Basic credentials (RFC 7617): base 64 of the user name, a colon and the password.
    private static func password(_ credentials: Substring) -> Substring? {
        guard let bytes = Base64.decode(Array(credentials.utf8)), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let password = String(validating: bytes[(colon + 1)...], as: UTF8.self), !password.isEmpty
        else { return nil }
        return password[...]
    }
}
