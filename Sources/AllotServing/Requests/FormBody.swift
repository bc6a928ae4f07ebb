/// The body of a request from an HTML form: `name=value&…`, percent-encoded.
package enum FormBody {
    package static let limit = 262_144

    /// Throws 415 if a body is not of a form by its `Content-Type`.
    package static func requireType(_ header: String?) throws(RequestFailure) {
        try RequestFailure.require("application/x-www-form-urlencoded", header, of: "form")
    }

    /// The items of a body, in their order. Line breaks of texts become line feeds.
    package static func parse(_ bytes: [UInt8]) throws -> [(name: String, value: String)] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw RequestFailure(.badRequest, "the form is not UTF-8")
        }
        var target = RequestTarget("?" + text)
        var decoded: [UInt8] = []
        var items: [(name: String, value: String)] = []
        while let item = try target.decodeNextItem(to: &decoded) {
            items.append(
                (
                    String(decoding: decoded[item.name], as: UTF8.self),
                    String(decoding: decoded[item.value], as: UTF8.self).replacing("\r\n", with: "\n")
                ))
            decoded.removeAll(keepingCapacity: true)
        }
        guard !target.containsNull else {
            throw RequestFailure(.badRequest, "the form contains U+0000, which texts must not")
        }
        return items
    }
}
