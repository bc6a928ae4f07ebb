import HTTPTypes

/// The requests of a guard to its stream of HTTP/2.
package enum StreamEvent: Sendable {
    /// The client need not send the rest of the body: the whole answer has left.
    case stopBody
}

/// The limits of HTTP/1 for heads of HTTP/2, beyond the checks of the framing layer.
enum StreamManners {
    /// The refusal of a request. Returns `nil` if the request is accepted.
    static func refusal(of head: HTTPRequest) -> ConnectionRefusal? {
        let path = head.path ?? ""
        if !path.isEmpty, !path.hasPrefix("/"), path != "*" {
            return ConnectionRefusal(.syntax, "the path does not begin with a slash; add it")
        }
        if path.utf8.count > ConnectionLimits.fieldBytes { return .longTarget }
        // The decoder of fields repairs bytes that are not UTF-8: what was different would be the same.
        if path.utf8.contains(where: { $0 >= 0x80 }) {
            return ConnectionRefusal(.syntax, "the path has bytes that are not ASCII; percent-encode them")
        }
        var bytes = 0
        for field in head.headerFields {
            let count = field.name.canonicalName.utf8.count + field.value.utf8.count
            if count > ConnectionLimits.fieldBytes { return .largeHead }
            bytes += count
        }
        if bytes > ConnectionLimits.fieldsBytes || head.headerFields.count > ConnectionLimits.fieldCount {
            return .largeHead
        }
        if let expectation = head.headerFields[.expect], expectation.lowercased() != "100-continue" {
            return .unmetExpectation
        }
        return nil
    }
}
