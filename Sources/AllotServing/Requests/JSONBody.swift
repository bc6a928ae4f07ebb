import AllotConfiguration

/// The body of a request: JSON, as it is.
package enum JSONBody {
    /// Throws 415 if a body is not JSON by its `Content-Type`, or has none.
    ///
    /// Pages of any origin can send other types without asking, and a server on a loopback address trusts its callers.
    ///
    /// - Parameter isEmpty: whether there is no body, so that it needs no type.
    package static func requireType(_ header: String?, isEmpty: Bool) throws(RequestFailure) {
        if header == nil, isEmpty { return }
        try RequestFailure.require("application/json", header, of: "body")
    }

    /// Throws 415 if a body is compressed by its `Content-Encoding`: a few bytes could become more than any limit.
    package static func requireIdentity(_ header: String?) throws(RequestFailure) {
        let coding = (header ?? "").filter { $0 != " " && $0 != "\t" }
        guard coding.isEmpty || coding.lowercased() == "identity" else {
            throw RequestFailure(
                .unsupportedMediaType, "a body with Content-Encoding is not accepted; send it as it is",
                headers: [("Accept-Encoding", "identity")])
        }
    }

    /// The bytes of a body as JSON. Returns `nil` if there are none.
    package static func parse(_ bytes: [UInt8]) throws(RequestFailure) -> JSONValue? {
        guard !bytes.isEmpty else { return nil }
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            throw RequestFailure(
                .badRequest,
                "the body is not valid JSON, at line \(error.line), column \(error.column): \(error.message)")
        }
    }
}
