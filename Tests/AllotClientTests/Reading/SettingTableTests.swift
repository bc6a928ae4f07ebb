import AllotConfiguration
import TestSupport
import Testing

@testable import AllotClient

struct SettingTableTests {
    /// The table has what two dictionaries have, and nothing else; names are compared by their bytes.
    @Test("The table finds exactly the settings of a snapshot", arguments: 0..<10 as Range<UInt64>)
    func allThereIs(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func name() -> String {
            (0..<Int.random(in: 0...5, using: &generator))
                .map { _ in ["a", "b", "\u{E9}", "e\u{301}", "\0"].randomElement(using: &generator) ?? "a" }.joined()
        }
        var sections: [UTF8Key: [UTF8Key: SettingEntry]] = [:]
        for number in 0..<Int.random(in: 0...300, using: &generator) {
            sections[UTF8Key(name()), default: [:]][UTF8Key(name())] = SettingEntry(
                value: number.json, source: .remote)
        }
        let table = SettingTable(
            sections.flatMap { section, settings in
                settings.map { (section: section.text, setting: $0.key.text, entry: $0.value) }
            })
        for (section, settings) in sections {
            for (setting, entry) in settings {
                #expect(table[section.text, setting.text]?.value == entry.value)
                // The same letters, divided in another way.
                let moved = UTF8Key(section.text + setting.text.prefix(1))
                let rest = UTF8Key(String(setting.text.dropFirst()))
                #expect(table[moved.text, rest.text]?.value == sections[moved]?[rest]?.value)
            }
            let absent = UTF8Key(name())
            #expect(table[section.text, absent.text]?.value == settings[absent]?.value)
        }
        #expect(SettingTable([])["a", "b"]?.value == nil)
    }

    /// Texts are equal when all bytes are, wherever in a block of eight the difference lies.
    @Test("Texts with equal bytes have equal hashes in any representation")
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
