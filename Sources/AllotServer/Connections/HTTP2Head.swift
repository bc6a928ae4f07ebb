import AllotServing
import HTTPTypes
import NIOHPACK

/// The head of a request of HTTP/2, within the limits of HTTP/1.
struct HTTP2Head {
    let request: ServiceRequest
    let refusal: ConnectionRefusal?
    let length: Int?

    /// Reads a block of fields. Returns `nil` if the request is malformed (RFC 9113, section 8.3).
    init?(_ block: HPACKHeaders) {
        var (method, scheme, authority, path): (String?, String?, String?, String?) = (nil, nil, nil, nil)
        var headers: [(name: String, value: String)] = []
        headers.reserveCapacity(block.count)
        var (count, bytes, isLong) = (0, 0, false)
        var (length, isExpectationMet): (Int?, Bool) = (nil, true)
        for (name, value, _) in block {
            if name.utf8.first == UInt8(ascii: ":") {
                guard count == 0 else { return nil }
                switch name {
                case ":method" where method == nil: method = value
                case ":scheme" where scheme == nil: scheme = value
                case ":authority" where authority == nil: authority = value
                case ":path" where path == nil: path = value
                default: return nil
                }
                continue
            }
            // Routes know the authority as this field.
            if count == 0, let authority { headers.append(("Host", authority)) }
            count += 1
            let size = name.utf8.count + value.utf8.count
            bytes += size
            isLong = isLong || size > ConnectionLimits.fieldBytes
            switch name {
            case "host" where authority != nil: continue
            case "content-length": length = Int(value) ?? .max
            case "expect": isExpectationMet = value.lowercased() == "100-continue"
            default: break
            }
            headers.append((name, value))
        }
        // The method CONNECT has no path.
        guard let method, let path = path ?? (method == "CONNECT" ? "/" : nil), HTTPRequest.Method(method) != nil
        else { return nil }
        if count == 0, let authority { headers.append(("Host", authority)) }
        request = ServiceRequest(method: method, target: path, headers: headers)
        self.length = length
        let isLarge = isLong || bytes > ConnectionLimits.fieldsBytes || count > ConnectionLimits.fieldCount
        refusal = Self.refusal(ofPath: path) ?? (isLarge ? .largeHead : isExpectationMet ? nil : .unmetExpectation)
    }

    private static func refusal(ofPath path: String) -> ConnectionRefusal? {
        if !path.isEmpty, !path.hasPrefix("/"), path != "*" {
            return ConnectionRefusal(.syntax, "the path does not begin with a slash; add it")
        }
        if path.utf8.count > ConnectionLimits.fieldBytes { return .longTarget }
        // The decoder of fields repairs bytes that are not UTF-8: what was different would be the same.
        if path.utf8.contains(where: { $0 >= 0x80 }) {
            return ConnectionRefusal(.syntax, "the path has bytes that are not ASCII; percent-encode them")
        }
        return nil
    }
}
