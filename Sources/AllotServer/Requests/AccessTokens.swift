import Allot
import AllotConfiguration
import AllotServing
import Foundation
import HTTPTypes
import Hummingbird

/// What a bearer of a token may do.
enum AccessScope: String, Sendable, CaseIterable {
    /// Fetch configurations and flags, and subscribe to changes.
    case configuration
    /// Store exposures.
    case exposures
    /// Read explanations, which show definitions and forced units, and stored exposures.
    case explain
    /// Read metrics.
    case metrics
}

/// Bearer tokens and what each may do. `Sendable`.
///
/// ```swift
/// let tokens = try AccessTokens(
///     parsing: "configuration,exposures 4f9pWcT0uX2vR8mK1sQe", name: "tokens")
/// ```
///
/// Only digests of tokens are kept. A token is compared with all of them, whichever matches, so that the response time
/// reveals nothing about them.
public struct AccessTokens: Sendable {
    private struct Entry: Sendable {
        let digest: [UInt8]
        let scopes: Set<AccessScope>
    }

    /// An error in a list of tokens.
    public struct Failure: Error, CustomStringConvertible, Sendable {
        /// The place, what is wrong, and how to fix it.
        public let description: String
    }

    private let entries: [Entry]

    /// The fewest characters of a token: about as many as 128 random bits take in base 64.
    static let minimumLength = 20

    /// Reads a list: on each line the scopes, joined with commas, then white space and the token. Empty lines and lines
    /// that begin with "#" are skipped.
    ///
    /// - Parameter name: the name of the list in messages.
    /// - Parameter text: The lines of the file.
    /// - Throws: ``Failure`` with the line at fault.
    public init(parsing text: String, name: String) throws(Failure) {
        var entries: [Entry] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split { $0 == " " || $0 == "\t" }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let place = "\(name):\(index + 1): "
            guard words.count == 2 else {
                throw Failure(
                    description: place + "a line has scopes and a token, such as: configuration,exposures TOKEN")
            }
            var scopes: Set<AccessScope> = []
            for part in first.split(separator: ",", omittingEmptySubsequences: false) {
                guard let scope = AccessScope(rawValue: String(part)) else {
                    let known = AccessScope.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Failure(
                        description: place + "there is no scope \(QuotedText(String(part))); the scopes are \(known)")
                }
                scopes.insert(scope)
            }
            guard words[1].utf8.count >= Self.minimumLength else {
                throw Failure(
                    description: place + "the token has fewer than \(Self.minimumLength) characters; make one with: "
                        + "openssl rand -base64 24")
            }
            entries.append(Entry(digest: SHA256.digest(of: Array(words[1].utf8)), scopes: scopes))
        }
        guard !entries.isEmpty else { throw Failure(description: "\(name): there are no tokens; add one") }
        self.entries = entries
    }

    /// Reads the list in a file.
    ///
    /// - Throws: ``Failure`` with the line at fault, or why the file cannot be read.
    public init(contentsOf path: String) throws(Failure) {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw Failure(
                description:
                    "\(path) cannot be read (\(error.localizedDescription)); check the path and its permissions")
        }
        try self.init(parsing: text, name: path)
    }

    /// Throws 401 without a known token, 403 without the scope.
    ///
    /// - Parameter allowsQuery: whether the token may be the query's `access_token` (RFC 6750, section 2.3).
    func require(_ scope: AccessScope, _ request: Request, allowsQuery: Bool) throws(RequestFailure) {
        let parameter = allowsQuery ? request.uri.queryParameters["access_token"] : nil
        guard let token = Self.token(request) ?? parameter else {
            throw Self.unauthorized("send a token, as \"Authorization: Bearer TOKEN\"")
        }
        let digest = SHA256.digest(of: Array(token.utf8))
        let known = entries.filter { Self.areEqual($0.digest, digest) }
        guard !known.isEmpty else { throw Self.unauthorized("the token is unknown") }
        guard known.contains(where: { $0.scopes.contains(scope) }) else {
            throw RequestFailure(.forbidden, "the token does not have the scope \(scope.rawValue)")
        }
    }

    private static func token(_ request: Request) -> Substring? {
        if let key = request.headers[.apiKey] { return Substring(key) }
        guard let value = request.headers[.authorization] else { return nil }
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return words[1]
    }

    private static func unauthorized(_ message: String) -> RequestFailure {
        RequestFailure(.unauthorized, message, headers: [("WWW-Authenticate", "Bearer realm=\"allot\"")])
    }

    private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        var difference = UInt8(left.count == right.count ? 0 : 1)
        for (leftByte, rightByte) in zip(left, right) { difference |= leftByte ^ rightByte }
        return difference == 0
    }
}
