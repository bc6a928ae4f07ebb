/// The values that an app uses on a device, as the device reads them out. `Sendable`.
///
/// ```swift
/// let readout = DeviceReadout(app: "com.example.shop", settings: ["Checkout.Steps": 3], variants: ["steps": "three"])
/// print(readout.link(server: nil))  // allot:/device?readout=eyJ…
/// print(try DeviceReadout(link: readout.link(server: nil)) == readout)  // true
/// ```
public struct DeviceReadout: Sendable, Hashable {
    /// The app, by an ID such as its bundle identifier.
    public var app: String?
    /// The device, by the ID that the app uses there.
    public var device: String?
    /// The user's ID.
    public var user: String?
    /// The revision of the server's definitions.
    public var revision: String?
    /// The current values by `Section.Setting`; empty in a short read-out.
    public var settings: JSONObject
    /// The values that differ from the app's defaults, by `Section.Setting`.
    public var modifications: JSONObject
    /// The variants by experiment: texts.
    public var variants: JSONObject

    /// The longest text that ``init(link:)`` reads, in bytes.
    public static let limit = 256 * 1024

    /// Creates a read-out.
    public init(
        app: String? = nil, device: String? = nil, user: String? = nil, revision: String? = nil,
        settings: JSONObject = [:], modifications: JSONObject = [:], variants: JSONObject = [:]
    ) {
        (self.app, self.device, self.user, self.revision, self.settings) = (app, device, user, revision, settings)
        (self.modifications, self.variants) = (modifications, variants)
    }

    /// The read-out without the values that are the app's defaults, for a QR code.
    public var short: DeviceReadout {
        var short = self
        short.settings = [:]
        return short
    }
}

extension DeviceReadout {
    private enum Key {
        static let readout = "readout", app = "app", device = "device", user = "user", revision = "revision"
        static let settings = "settings", modifications = "modifications", variants = "variants"
        static let all = [readout, app, device, user, revision, settings, modifications, variants]
    }

    private static let format = 1
    private static let scheme = "allot:"
    private static let item = "readout="

    /// The read-out as JSON.
    public var json: JSONValue {
        var members: JSONObject = [
            Key.readout: .number(JSONNumber(Self.format)), Key.settings: .object(settings),
            Key.modifications: .object(modifications), Key.variants: .object(variants),
        ]
        for (key, text) in [(Key.app, app), (Key.device, device), (Key.user, user), (Key.revision, revision)] {
            members[key] = text.map(JSONValue.string)
        }
        return .object(members)
    }

    /// The link that carries the read-out.
    ///
    /// - Parameter server: the server's URL; `nil` if there is none, for a link that only programs read.
    public func link(server: String?) -> String {
        var base = (server ?? Self.scheme)[...]
        if base.utf8.last == UInt8(ascii: "/") { base = Substring(base.utf8.dropLast()) }
        return "\(base)/device?\(Self.item)\(Base64URL.encode(json.canonicalBytes))"
    }

    /// Reads a link, the part of it after `readout=`, or the JSON that it carries.
    ///
    /// - Throws: ``DeviceReadoutError`` for a text that is longer than ``limit``, and for any other one.
    public init(link: String) throws(DeviceReadoutError) {
        guard link.utf8.count <= Self.limit else {
            throw DeviceReadoutError("the read-out has \(link.utf8.count) bytes, and the limit is \(Self.limit)")
        }
        let blanks = " \t\r\n".utf8
        let text = link.utf8.drop { blanks.contains($0) }
        if text.first == UInt8(ascii: "{") {
            try self.init(parsing: Array(text))
            return
        }
        var encoded = text.prefix { !blanks.contains($0) }
        if encoded.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "?") }) {
            let query = encoded.prefix { $0 != UInt8(ascii: "#") }.drop { $0 != UInt8(ascii: "?") }.dropFirst()
            let items = query.split(separator: UInt8(ascii: "&"))
            guard let item = items.first(where: { $0.starts(with: Self.item.utf8) }) else {
                throw DeviceReadoutError("the link carries no read-out; it ends with ?readout=… if it is complete")
            }
            encoded = item.dropFirst(Self.item.utf8.count)
        }
        guard !encoded.isEmpty else { throw DeviceReadoutError("the read-out is empty; copy the whole link") }
        guard let bytes = Base64URL.decode(encoded) else {
            throw DeviceReadoutError(
                "the read-out is not base 64 for URLs, which has - and _ for + and /, and no =; copy the whole link, "
                    + "or give the JSON")
        }
        try self.init(parsing: bytes)
    }

    private init(parsing bytes: [UInt8]) throws(DeviceReadoutError) {
        let json: JSONValue
        do throws(JSONParsingError) {
            json = try JSONValue(parsing: bytes)
        } catch { throw DeviceReadoutError("the read-out is not JSON: \(error)") }
        guard case .object(let members) = json, let format = members[Key.readout] else {
            throw DeviceReadoutError("the text is not a read-out, which is an object with the member readout")
        }
        guard let number = format.integer else { throw DeviceReadoutError(Key.readout, "a whole number", format) }
        guard number == Self.format else {
            throw DeviceReadoutError(
                "the read-out has the format \(number), and only \(Self.format) is known; update Allot")
        }
        for member in members.members where !Key.all.contains(where: { UTF8Order.areEqual($0, member.key) }) {
            let known = Key.all.joined(separator: ", ")
            throw DeviceReadoutError(
                "the member \(QuotedText(member.key)) of the read-out is unknown; there are \(known)")
        }
        self.init(
            app: try members.text(ofReadout: Key.app), device: try members.text(ofReadout: Key.device),
            user: try members.text(ofReadout: Key.user), revision: try members.text(ofReadout: Key.revision),
            settings: try members.object(ofReadout: Key.settings),
            modifications: try members.object(ofReadout: Key.modifications),
            variants: try members.object(ofReadout: Key.variants))
        for member in variants.members where member.value.text == nil {
            let found = member.value.typeName
            throw DeviceReadoutError(
                "the variant of \(QuotedText(member.key)) in the read-out is of type \(found); write its key as a text")
        }
        for member in modifications.members {
            guard let value = settings[member.key], !value.isEquivalent(to: member.value) else { continue }
            throw DeviceReadoutError(
                "settings and modifications of the read-out have different values of \(QuotedText(member.key)); "
                    + "read the device out again")
        }
    }
}

extension JSONObject {
    fileprivate func text(ofReadout key: String) throws(DeviceReadoutError) -> String? {
        guard let value = self[key] else { return nil }
        guard let text = value.text else { throw DeviceReadoutError(key, "a text", value) }
        return text
    }

    fileprivate func object(ofReadout key: String) throws(DeviceReadoutError) -> JSONObject {
        guard let value = self[key] else { return [:] }
        guard let object = value.asObject else { throw DeviceReadoutError(key, "an object", value) }
        return object
    }
}

/// The fault of a text that is not the read-out of a device, and its fix. `Sendable`.
public struct DeviceReadoutError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The fault and its fix.
    public let description: String

    fileprivate init(_ description: String) { self.description = description }

    fileprivate init(_ key: String, _ form: String, _ found: JSONValue) {
        self.init("\(key) of the read-out: \(SettingValueError(expected: form, found: found))")
    }
}
