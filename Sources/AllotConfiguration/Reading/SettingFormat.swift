/// The format of a setting's values, as definitions name it: types that JSON does not have. `Sendable`.
///
/// Values are written and served in Parse's encodings: as text, or as an object that names its type in `__type`.
public enum SettingFormat: String, Sendable, CaseIterable {
    /// A day as text: `2026-11-21`.
    case date
    /// An instant as text of RFC 3339, `2026-11-21T12:00:00Z`, or as Parse's object of the type `Date`.
    case dateTime = "date-time"
    /// A place on Earth, as Parse's object of the type `GeoPoint`.
    case geoPoint = "geo-point"
    /// A file to download, as Parse's object of the type `File` with the size and the SHA-256 of its content.
    case file
    /// Bytes as padded text in base 64, or as Parse's object of the type `Bytes`.
    case bytes
}

extension SettingFormat {
    /// The name of the member of Parse's objects that names their type.
    package static let typeKey = "__type"

    /// The type that Parse's object names. Returns `nil` for a format of text alone.
    package var parseType: String? { object?.type }
    /// The members of Parse's object in addition to `__type`: all are required, and there are no others.
    package var members: [Member] { object?.members ?? [] }

    private var object: (type: String, members: [Member])? {
        switch self {
        case .date: nil
        case .dateTime: ("Date", [.iso])
        case .geoPoint: ("GeoPoint", [.latitude, .longitude])
        case .file: ("File", [.name, .url, .size, .sha256])
        case .bytes: ("Bytes", [.base64])
        }
    }

    /// The types of its values, as JSON Schema names them.
    package var types: [String] {
        (self == .geoPoint || self == .file ? [] : ["string"]) + (self == .date ? [] : ["object"])
    }

    package var example: String {
        switch self {
        case .date: #""2026-11-21""#
        case .dateTime: #""2026-11-21T12:00:00Z""#
        case .geoPoint: #"{"__type": "GeoPoint", "latitude": 52.5, "longitude": 13.4}"#
        case .file:
            #"{"__type": "File", "name": "menu.png", "url": "https://example.com/menu.png", "size": 1024, "#
                + #""sha256": "64 hexadecimal digits"}"#
        case .bytes: #""aGVsbG8=""#
        }
    }

    /// The fault of a value with its fix, to follow the value's name in a sentence. Returns `nil` for a value of the
    /// format. Complexity: O(*n*) in the value's size.
    package func fault(of value: JSONValue) -> String? {
        switch value {
        case .string(let text): fault(ofText: text).map { "is \(Self.shown(value)), which \($0)" }
        case .object(let object) where parseType != nil: fault(of: object)
        case .null, .boolean, .number, .array, .object:
            "is \(Self.shown(value)), which does not have the format \(rawValue); write \(example)"
        }
    }

    /// The fault of a text with its fix, to follow "which".
    fileprivate func fault(ofText text: String) -> String? {
        switch self {
        case .date:
            // The reader of instants knows the calendar, and each part has its place.
            text.utf8.count == 10 && Instant("\(text)T00:00Z") != nil && !text.hasPrefix(Self.yearZero)
                ? nil : "is not a day of the calendar as YYYY-MM-DD; write one such as 2026-11-21"
        case .dateTime: Self.fault(ofInstant: text)
        case .bytes:
            Base64.decode(Array(text.utf8)) == nil
                ? "is not base 64; write the bytes with its alphabet and padding, such as aGVsbG8=" : nil
        case .geoPoint, .file: "is text; write \(example)"
        }
    }

    /// The year before 1, which calendars do not have.
    private static let yearZero = "0000"

    /// The fault of an instant by RFC 3339, which is stricter than the reader of instants.
    private static func fault(ofInstant text: String) -> String? {
        guard let instant = Instant(text) else { return Instant.fault(of: text) }
        if text.hasPrefix(yearZero) || instant.description.hasPrefix(yearZero) {
            return "is in the year 0, which calendars do not have; choose a later instant"
        }
        if text.dropFirst(10).hasPrefix(" ") { return "has a blank between the day and the time; write \(instant)" }
        // The leap second has the place of the first second of the next day.
        if text.dropFirst(16).hasPrefix(":60"), !instant.seconds.isMultiple(of: 86_400) {
            return "has a leap second at another time than 23:59:60 in UTC; write \(instant)"
        }
        return nil
    }

    private func fault(of object: JSONObject) -> String? {
        let names = [Self.typeKey] + members.map(\.rawValue)
        if let other = object.members.first(where: { member in
            !names.contains { UTF8Order.areEqual($0, member.key) }
        }) {
            let nearest = NearestName.hint(for: other.key, among: names)
            let fix = nearest.map { "did you mean \(QuotedText($0))?" } ?? "write \(example)"
            return "has the unknown member \(QuotedText(other.key)); \(fix)"
        }
        if let missing = names.first(where: { object[$0] == nil }) {
            return "has no member \(missing); write \(example)"
        }
        if let type = object[Self.typeKey], let parseType, type != JSONValue.string(parseType) {
            return "has the \(Self.typeKey) \(Self.shown(type)); write \"\(parseType)\" for the format \(rawValue)"
        }
        for member in members {
            guard let value = object[member.rawValue], let fault = member.fault(of: value) else { continue }
            return "has the \(member.rawValue) \(Self.shown(value)), which \(fault)"
        }
        if let size = object[Member.size.rawValue]?.integer,
            (size == 0) != (object[Member.sha256.rawValue]?.text == Self.emptySHA256)
        {
            return "has the size \(size), and only an empty file has the sha256 \(Self.emptySHA256.prefix(8))…; "
                + "write both as the file has them"
        }
        return nil
    }

    private static let emptySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    private static func shown(_ value: JSONValue) -> String {
        PrintableText(value.canonicalText, atMost: 80).description
    }
}

extension SettingFormat {
    /// A member of the objects by which Parse represents values.
    package enum Member: String, Sendable {
        case iso, latitude, longitude, name, url, size, sha256, base64

        package var isNumber: Bool { self == .latitude || self == .longitude || self == .size }

        /// The bounds of a number; `nil` for text, and for an open end.
        package var bounds: (minimum: Int?, maximum: Int?) {
            switch self {
            case .latitude: (-90, 90)
            case .longitude: (-180, 180)
            default: (self == .size ? 0 : nil, nil)
            }
        }

        /// The fault of a value with its fix, to follow "which".
        fileprivate func fault(of value: JSONValue) -> String? {
            switch self {
            case .iso: Self.fault(of: value, SettingFormat.dateTime)
            case .base64: Self.fault(of: value, SettingFormat.bytes)
            case .latitude, .longitude:
                isInBounds(value) ? nil : "is not a number of degrees; write one from \(Self.words(bounds))"
            case .name:
                value.text.map(Self.isFileName) == true
                    ? nil : "is not a file's name without a folder; write one such as \"menu.png\""
            case .url: Self.fault(ofURL: value.text ?? "")
            case .size:
                value.integer != nil && isInBounds(value)
                    ? nil : "is not a file's size; write its bytes as a whole number, 0 or more"
            case .sha256:
                value.text.map(Self.isSHA256) == true
                    ? nil : "is not a SHA-256; write it as text of 64 hexadecimal digits in lower case"
            }
        }

        private static func fault(of value: JSONValue, _ format: SettingFormat) -> String? {
            guard let text = value.text else { return "is not text; write one such as \(format.example)" }
            return format.fault(ofText: text)
        }

        private static func words(_ bounds: (minimum: Int?, maximum: Int?)) -> String {
            [bounds.minimum, bounds.maximum].compactMap { $0.map(String.init) }.joined(separator: " to ")
        }

        private func isInBounds(_ value: JSONValue) -> Bool {
            guard let number = value.asNumber?.decimal else { return false }
            if let minimum = bounds.minimum, number < JSONNumber(minimum).decimal { return false }
            if let maximum = bounds.maximum, JSONNumber(maximum).decimal < number { return false }
            return true
        }

        private static func isFileName(_ text: String) -> Bool {
            !["", ".", ".."].contains(text)
                && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        }

        /// Whether a text is a SHA-256 as definitions write it: 64 hexadecimal digits in lower case.
        package static func isSHA256(_ text: String) -> Bool {
            text.utf8.count == 64
                && text.utf8.allSatisfy { $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
        }

        /// The fault of a text that is not an absolute URI of `http` or `https` (RFC 3986, section 4.3) with a host and
        /// without a user: the file is as public as the configuration.
        private static func fault(ofURL text: String) -> String? {
            let bytes = Array(text.utf8)
            guard let scheme = ["https://", "http://"].first(where: { bytes.starts(with: $0.utf8) }) else {
                return "is not an absolute URL of http or https; write one such as https://example.com/menu.png"
            }
            let authority = bytes.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
            if let fault = fault(ofAuthority: authority) { return fault }
            let rest = bytes[authority.endIndex...]
            if rest.contains(UInt8(ascii: "#")) { return "has a fragment; leave out the # and the text after it" }
            func isKept(_ byte: UInt8) -> Bool { byte.isUnreservedInURI || "!$&'()*+,;=:@/?%".utf8.contains(byte) }
            let other = String(decoding: rest, as: UTF8.self).unicodeScalars
                .first { !String($0).utf8.allSatisfy(isKept) }
            if let other = other.map({ String($0) }) {
                return "contains \(QuotedText(other)); write that character as \(other.percentEncoded(keeping: isKept))"
            }
            // An escape is a "%" and two digits.
            let pieces = rest.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
            return pieces.dropFirst().allSatisfy { $0.count >= 2 && $0.prefix(2).allSatisfy(isHexDigit) }
                ? nil : "has a % without two hexadecimal digits; write a percent sign as %25"
        }

        /// The fault of bytes that are not a host, a name or an address, with or without a port.
        private static func fault(ofAuthority bytes: ArraySlice<UInt8>) -> String? {
            if bytes.contains(UInt8(ascii: "@")) { return "names a user; leave out the @ and the text before it" }
            let isBracketed = bytes.first == UInt8(ascii: "[")
            let hostEnd =
                isBracketed
                ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : bytes.firstIndex(of: UInt8(ascii: ":"))
            let host = bytes[..<(hostEnd ?? bytes.endIndex)]
            let name = isBracketed ? host.dropFirst().dropLast() : host
            let isHost =
                isBracketed
                ? hostEnd != nil && name.allSatisfy { isHexDigit($0) || ":.".utf8.contains($0) }
                : name.allSatisfy(\.isUnreservedInURI)
            guard !name.isEmpty, isHost else {
                return "has a host that is neither a name nor an address; write one such as example.com"
            }
            let port = bytes[host.endIndex...]
            let digits = port.dropFirst()
            let isPort =
                port.first == UInt8(ascii: ":") && digits.allSatisfy(\.isDigit)
                && UInt16(String(decoding: digits, as: UTF8.self)) != nil
            return port.isEmpty || isPort
                ? nil : "has a port that is not a number up to 65535; write one such as :8443, or leave it out"
        }

        private static func isHexDigit(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).isHexDigit }
    }
}
