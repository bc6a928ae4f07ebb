import AllotConfiguration
import Testing

struct ReadableConfigurationTests {
    private enum Layout: String, SettingValue, CaseIterable { case list, grid }
    private struct Fee: Decodable, Equatable {
        var amount: Double
        var currency: String?
    }

    private static func number(_ text: String) -> JSONValue { JSONNumber(text).map(JSONValue.number) ?? .null }

    private static let document = ConfigurationDocument(
        sections: [
            "S": [
                "text": "abc", "whole": 42, "exact": number("9007199254740993"), "tenth": number("10.50"),
                "huge": number("1e400"), "on": true, "digits": "7", "null": .null, "list": ["a", "b"],
                "mixed": ["a", 1], "layout": "grid", "fee": ["amount": 4.90, "currency": "EUR", "other": 1],
            ]
        ], meta: [:])

    /// The typed readings of one value; `nil` where it has another type.
    struct Readings: Sendable {
        let setting: String
        var text: String?
        var integer: Int?
        var double: Double?
        var boolean: Bool?
    }

    @Test(
        "A value is read as its own type, and as no other",
        arguments: [
            Readings(setting: "text", text: "abc"), Readings(setting: "whole", integer: 42, double: 42),
            Readings(setting: "exact", integer: 9_007_199_254_740_993, double: 9_007_199_254_740_992),
            Readings(setting: "tenth", double: 10.5), Readings(setting: "huge"),
            Readings(setting: "on", boolean: true), Readings(setting: "digits", text: "7"), Readings(setting: "null"),
            Readings(setting: "list"), Readings(setting: "fee"), Readings(setting: "absent"),
        ])
    func typedReading(_ expected: Readings) {
        let document = Self.document
        #expect(document.text("S", expected.setting) == expected.text)
        #expect(document.integer("S", expected.setting) == expected.integer)
        #expect(document.double("S", expected.setting) == expected.double)
        #expect(document.boolean("S", expected.setting) == expected.boolean)
        #expect(document.value("S", expected.setting, default: "-") == expected.text ?? "-")
        #expect((try? document.value("S", expected.setting, as: Int.self)) == expected.integer)
        #expect((try? document.decode(Double.self, "S", expected.setting)) == expected.double)
        #expect((try? document.value("S", expected.setting)?.decode(Bool.self)) == expected.boolean)
        #expect(document.text("T", expected.setting) == nil)
    }

    @Test("A default is used if the setting is absent or has another type")
    func defaults() {
        #expect(Self.document.value("S", "layout", default: Layout.list) == .grid)
        #expect(Self.document.value("S", "text", default: Layout.list) == .list)
        #expect(Self.document.value("S", "list", default: [String]()) == ["a", "b"])
        #expect(Self.document.value("S", "mixed", default: ["d"]) == ["d"])
        #expect(Self.document.value("S", "null", default: Int?.some(3)) == nil)
        #expect(Self.document.value("S", "text", default: Int?.some(3)) == 3)
    }

    @Test("A number keeps its digits")
    func digits() throws {
        #expect(try Self.document.value("S", "tenth", as: JSONValue.self).canonicalText == "10.50")
        #expect(try Self.document.decode([String: JSONValue].self, from: "S")["tenth"]?.canonicalText == "10.50")
    }

    @Test("A Decodable type reads a value, a section or the whole configuration")
    func decoding() throws {
        struct Section: Decodable, Equatable { var fee: Fee, whole: Int }
        let fee = Fee(amount: 4.9, currency: "EUR")
        #expect(try Self.document.decode(Fee.self, "S", "fee") == fee)
        #expect(try Self.document.decode(Section.self, from: "S") == Section(fee: fee, whole: 42))
        #expect(try Self.document.decode([String: Section].self) == ["S": Section(fee: fee, whole: 42)])
    }

    @Test(
        "An error names the setting, the place in it, and both types",
        arguments: [
            (
                "tenth",
                "S.tenth: expected a whole number, found the number 10.50; "
                    + "correct the value in the definitions, or read it as another type"
            ),
            (
                "absent",
                "S.absent: the section has no such setting, expected a whole number; "
                    + "correct the name, define the setting, or read it with a default"
            ),
        ])
    func messages(_ setting: String, _ expected: String) {
        #expect { try Self.document.value("S", setting, as: Int.self) } throws: { "\($0)" == expected }
    }

    @Test("An error of an element names its index, one of an enumeration its values")
    func messagesOfParts() {
        #expect { try Self.document.value("S", "mixed", as: [String].self) } throws: {
            "\($0)".hasPrefix("S.mixed[1]: expected text, found the number 1;")
        }
        #expect { try Self.document.value("S", "text", as: Layout.self) } throws: {
            "\($0)".contains("expected one of \"list\", \"grid\", found the text \"abc\"")
        }
        #expect { try Self.document.value("T", "text", as: Int.self) } throws: {
            "\($0)".hasPrefix("T.text: the configuration has no section \"T\"")
        }
    }
}
