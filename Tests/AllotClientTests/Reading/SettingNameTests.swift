import AllotConfiguration
import TestSupport
import Testing

@testable import AllotClient

struct SettingNameTests {
    @Test("A snapshot has exactly the settings of its document", arguments: 0..<10 as Range<UInt64>)
    func allThereIs(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func name() -> String {
            (0..<Int.random(in: 0...5, using: &generator))
                .map { _ in ["a", "b", "\u{E9}", "e\u{301}", "\0"].randomElement(using: &generator) ?? "a" }.joined()
        }
        var sections: [UTF8Key: [UTF8Key: JSONValue]] = [:]
        for number in 0..<Int.random(in: 0...300, using: &generator) {
            sections[UTF8Key(name()), default: [:]][UTF8Key(name())] = number.json
        }
        let document = ConfigurationDocument(
            sections: JSONObject(
                sections.map { section, settings in
                    (section.text, .object(JSONObject(settings.map { ($0.key.text, $0.value) })))
                }), meta: [:])
        let configuration = Configuration(document)
        for (section, settings) in sections {
            for (setting, value) in settings {
                #expect(configuration.value(section.text, setting.text) == value)
                // The same letters, divided in another way.
                let moved = UTF8Key(section.text + setting.text.prefix(1))
                let rest = UTF8Key(String(setting.text.dropFirst()))
                #expect(configuration.value(moved.text, rest.text) == sections[moved]?[rest])
            }
            let absent = UTF8Key(name())
            #expect(configuration.value(section.text, absent.text) == settings[absent])
        }
        #expect(Configuration.empty.value("a", "b") == nil)
    }

    /// Texts are equal when all bytes are, wherever in a block of eight the difference lies.
    @Test("Texts are equal if all their bytes are")
    func equalTexts() {
        for length in 0..<40 {
            let bytes = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(UTF8Order.areEqual(text, String(decoding: bytes, as: UTF8.self)))
            #expect(!UTF8Order.areEqual(text, text + "a"))
            for index in 0..<length {
                var other = bytes
                other[index] = UInt8(ascii: "_")
                #expect(!UTF8Order.areEqual(text, String(decoding: other, as: UTF8.self)))
            }
        }
    }
}
