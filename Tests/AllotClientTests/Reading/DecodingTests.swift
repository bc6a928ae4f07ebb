import AllotConfiguration
import Foundation
import Testing

@testable import AllotClient

struct DecodingTests {
    private struct Banner: Decodable, Equatable {
        enum Style: String, Decodable { case plain, bold }
        var title: String
        var width: Int
        var ratio: Double?
        var style: Style
        var link: URL
        var from: Date
        var until: Date?
        var image: Data?
        var place: GeoPoint?
        var file: ConfigurationFile?
        var anything: JSONValue?
        var tags: Set<String> = []
        var sizes: [String: [Int?]]?
    }

    private struct Checkout: Decodable, Equatable {
        var maxItems: Int
        var banner: Banner?
        var price: Foundation.Decimal?

        enum CodingKeys: String, CodingKey {
            case maxItems = "MaxItems"
            case banner = "Banner"
            case price = "Price"
        }
    }

    private struct Whole: Decodable, Equatable {
        var section: Checkout
        var other: [String: Int]?

        enum CodingKeys: String, CodingKey {
            case section = "S"
            case other = "Other"
        }
    }

    private static let banner: JSONValue = [
        "title": "Sale", "width": 320.0, "style": "bold", "link": "https://example.com/",
        "from": "2026-11-21T12:00:00Z", "until": ["__type": "Date", "iso": "2026-11-21T12:00:00.500Z"],
        "image": ["__type": "Bytes", "base64": "AP8B"], "place": ["__type": "GeoPoint", "latitude": 1, "longitude": 2],
        "file": ["__type": "File", "name": "n", "url": "https://example.com/n"], "anything": ["a": [1.5, .null]],
        "tags": ["a", "b"], "sizes": ["s": [1, .null]], "extra": 1,
    ]

    @Test("A value, a section and the whole configuration can be decoded")
    func aValueASectionAndTheWhole() throws {
        let log = ExposureLog()
        let price = try #require(JSONNumber("12345678901234567890.12"))
        let configuration = Configuration.sample(
            ["MaxItems": 42, "Banner": Self.banner, "Price": .number(price), "Extra": 1], log: log)
        let banner = try configuration.decode(Banner.self, "S", "Banner")
        #expect(log.exposed == ["Banner"])
        let now = Date(timeIntervalSince1970: 1_795_262_400)
        let link = try #require(URL(string: "https://example.com/"))
        let file = try ConfigurationFile(json: ["__type": "File", "name": "n", "url": "https://example.com/n"])
        let expected = Banner(
            title: "Sale", width: 320, ratio: nil, style: .bold, link: link, from: now, until: now + 0.5,
            image: Data([0, 255, 1]), place: GeoPoint(latitude: 1, longitude: 2), file: file,
            anything: ["a": [1.5, .null]], tags: ["a", "b"], sizes: ["s": [1, nil]])
        #expect(banner == expected)
        let checkout = try configuration.decode(Checkout.self, from: "S")
        #expect(checkout.maxItems == 42)
        #expect(checkout.banner == banner)
        #expect(checkout.price == Foundation.Decimal(string: "12345678901234567890.12"))
        // The type does not read the setting "Extra".
        #expect(Set(log.exposed) == ["Banner", "MaxItems", "Price"])
        #expect(try configuration.decode(Whole.self).section == checkout)
        #expect(try configuration["S"]?.decode(Checkout.self) == checkout)
        #expect(try configuration["S"]?["MaxItems"]?.decode(Int.self) == 42)
        #expect(!log.exposed.contains("Extra"))
        _ = try configuration.decode([String: JSONValue].self, from: "S")
        #expect(log.exposed.contains("Extra"))
    }

    /// A type that takes all of a section as JSON has read all of it, at each level.
    @Test("Objects can be decoded as a whole")
    func wholeObjects() throws {
        for read in [
            { _ = try $0.decode(JSONObject.self, from: "S") }, { _ = try $0.decode(JSONValue.self) },
            { _ = try $0.decode([String: JSONValue].self) }, { _ = try $0.decode(JSONObject?.self, from: "S") },
            { _ = try $0.decode([String: [String: JSONValue?]].self) },
        ] as [(Configuration) throws -> Void] {
            let log = ExposureLog()
            try read(Configuration.sample(["a": 1, "b": .null], log: log))
            #expect(log.exposed == ["a", "b"])
        }
    }

    /// A type for another place reads no setting.
    @Test("Decoding an absent section or setting, or a section that is not an object, is an error")
    func absences() {
        let log = ExposureLog()
        let configuration = Configuration.sample(["v": 1], log: log)
        #expect { try configuration.decode(Int.self, "S", "x") } throws: { ($0 as? SettingError)?.kind == .noSetting }
        #expect { try configuration.decode(Int.self, "T", "x") } throws: { ($0 as? SettingError)?.kind == .noSection }
        #expect { try configuration.decode(Checkout.self, from: "T") } throws: {
            ($0 as? SettingError)?.kind == .noSection
        }
        #expect(throws: DecodingError.self) { try configuration.decode(Int.self, from: "S") }
        #expect(throws: DecodingError.self) { try configuration.decode([Int].self, from: "S") }
        #expect(log.exposed == [])
    }

    private func failure(_ read: () throws -> Void) -> String {
        do {
            try read()
            return "none"
        } catch DecodingError.keyNotFound(let key, let context) {
            return "\(path(context.codingPath + [key])): \(context.debugDescription)"
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context)
        {
            return "\(path(context.codingPath)): \(context.debugDescription)"
        } catch { return "\(error)" }
    }

    private func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
    }

    @Test("Decoding errors have the path to the faulty value")
    func failuresNameThePath() throws {
        let log = ExposureLog()
        var broken = try JSONObject(json: Self.banner)
        broken["sizes"] = ["s": [1, 10.5]]
        let configuration = Configuration.sample(
            ["MaxItems": 42, "Banner": .object(broken), "Empty": [:], "Text": "x", "Null": .null, "List": [1, 300]],
            log: log)
        let whole = failure { _ = try configuration.decode(Whole.self) }
        // What was read before the fault, and what has it.
        #expect(log.exposed == ["MaxItems", "Banner"])
        let failures = [
            whole, failure { _ = try configuration.decode(Banner.self, "S", "Empty") },
            failure { _ = try configuration.decode(Int.self, "S", "Text") },
            failure { _ = try configuration.decode(Int.self, "S", "Null") },
            failure { _ = try configuration.decode([UInt8].self, "S", "List") },
            failure { _ = try configuration.decode(Banner.self, "S", "Text") },
        ]
        #expect(
            failures.joined(separator: "\n") == """
                S/Banner/sizes/s/1: expected a whole number, found the number 10.5
                S/Empty/title: there is no member "title"; there are no members
                S/Text: expected a whole number, found the text "x"
                S/Null: expected a whole number, found null
                S/List/1: expected a whole number from 0 to 255, found the number 300
                S/Text: expected an object, found the text "x"
                """)
        let style = failure { _ = try configuration.decode(Banner.Style.self, "S", "Text") }
        #expect(style.hasPrefix("S/Text: Cannot initialize"))
        #expect(log.exposed == ["MaxItems", "Banner", "Empty", "Text", "Null", "List"])
        #expect(failure { _ = try configuration.decode([String: Int].self, from: "S") }.hasPrefix("S/"))
    }

    private class Base: Decodable { var a = 0 }
    private final class Derived: Base {
        var b: Int
        var list: [Int] = []

        enum Keys: String, CodingKey { case b, list, nested, deep }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            b = try container.nestedContainer(keyedBy: Keys.self, forKey: .nested).decode(Int.self, forKey: .b)
            var elements = try container.nestedUnkeyedContainer(forKey: .list)
            _ = try? elements.decode(Bool.self)
            while !elements.isAtEnd { if try !elements.decodeNil() { list.append(try elements.decode(Int.self)) } }
            #expect(throws: DecodingError.self) { try elements.decode(Int.self) }
            try super.init(from: try container.superDecoder())
        }
    }

    @Test("Types with custom decoding use all kinds of containers")
    func containersByHand() throws {
        let value: JSONValue = ["super": ["a": 7], "nested": ["b": 8], "list": [1, .null, 2]]
        let decoded = try value.decode(Derived.self)
        #expect(decoded.a == 7)
        #expect(decoded.b == 8)
        #expect(decoded.list == [1, 2])
        #expect(try JSONValue.array([1, 2.5]).decode([Double].self) == [1, 2.5])
        #expect(try JSONValue.string("9").decode(String.self) == "9")
        #expect(try JSONValue.number(JSONNumber(5)).decode(Int128.self) == 5)
        #expect(try JSONValue.object(["1": "a"]).decode([Int: String].self) == [1: "a"])
    }

    /// A type that takes its decoder's value as JSON.
    private struct Raw: Decodable {
        let json: JSONValue
        init(from decoder: any Decoder) throws { json = try JSONValue(from: decoder) }
    }

    @Test("A decoded JSON value keeps the digits of its numbers")
    func jsonOfADecoderKeepsItsDigits() throws {
        let long = JSONValue.number(try #require(JSONNumber("123456789012345678901234567890.10")))
        for json in [long, ["a": [long]]] as [JSONValue] { #expect(try json.decode(Raw.self).json == json) }
        let log = ExposureLog()
        let configuration = Configuration.sample(["a": long, "b": .null], log: log)
        #expect(try configuration.decode(Raw.self, from: "S").json == ["a": long, "b": .null])
        #expect(log.exposed == ["a", "b"])
    }

    /// The types serve other coders as well.
    @Test("JSON types are encoded and decoded by any coder")
    func codable() throws {
        struct Both: Codable, Equatable {
            var point: GeoPoint
            var file: ConfigurationFile
            var json: JSONValue
            var object: JSONObject
        }
        let both = Both(
            point: try #require(GeoPoint(latitude: 1, longitude: -2.5)),
            file: try ConfigurationFile(json: ["__type": "File", "name": "n", "url": "https://example.com/n"]),
            json: [true, .null, 1, -2.5, "x", ["a": [:]], .number(JSONNumber(UInt64.max))], object: ["b": []])
        let bytes = try JSONEncoder().encode(both)
        #expect(try JSONDecoder().decode(Both.self, from: bytes) == both)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(GeoPoint.self, from: Data("{}".utf8)) }
        let encoded = try JSONValue(parsing: Array(bytes))
        #expect(try encoded.decode(Both.self) == both)
    }
}
