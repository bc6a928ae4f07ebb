import AllotConfiguration
import Foundation
import Testing

@testable import AllotClient

struct ReadingTests {
    private enum Layout: String, SettingValue, CaseIterable { case list, grid }
    private enum Size: Int, SettingValue {
        case small = 1
        case large
    }

    static let settings: JSONObject = [
        "text": "abc", "whole": 42, "tenth": 10.5, "on": true, "digits": "7", "word": "Yes", "null": .null,
        "list": ["a", "b"], "mixed": ["a", 1], "object": ["a": 1], "layout": "grid", "size": 2,
        "address": "https://example.com/a", "blank": "https://example.com/a b", "relative": "/a",
        "instant": "2026-11-21T12:00:00+01:00",
        "huge": .number(JSONNumber(unchecked: "1e400")),
    ]

    @Test("Reading uses the default unless the value converts unambiguously")
    func defaultsAndConversions() throws {
        let configuration = Configuration.sample(Self.settings)
        #expect(configuration.integer("S", "whole", default: 1) == 42)
        #expect(configuration.integer("S", "digits", default: 1) == 7)
        #expect(configuration.integer("S", "tenth", default: 1) == 1)
        #expect(configuration.integer("S", "absent", default: 1) == 1)
        #expect(configuration.integer("T", "whole", default: 1) == 1)
        #expect(configuration.integer("S", "on", default: 7) == 7)
        #expect(configuration.bool("S", "on", default: false))
        #expect(configuration.bool("S", "word", default: false))
        #expect(configuration.bool("S", "text", default: true))
        #expect(configuration.bool("S", "whole", default: true))
        #expect(configuration.string("S", "text", default: "d") == "abc")
        #expect(configuration.string("S", "tenth", default: "d") == "10.5")
        #expect(configuration.string("S", "on", default: "d") == "true")
        #expect(configuration.string("S", "null", default: "d") == "d")
        #expect(configuration.double("S", "tenth", default: 0) == 10.5)
        #expect(configuration.double("S", "huge", default: 3) == 3)
        #expect(configuration.value("S", "tenth", default: Float(0)) == 10.5)
        #expect(configuration.value("S", "list", default: [String]()) == ["a", "b"])
        #expect(configuration.value("S", "mixed", default: ["d"]) == ["a", "1"])
        #expect(configuration.value("S", "text", default: ["d"]) == ["d"])
        #expect(configuration.value("S", "object", default: JSONObject()) == ["a": 1])
        #expect(configuration.value("S", "object", default: [String: Int]()) == ["a": 1])
        #expect(configuration.value("S", "layout", default: Layout.list) == .grid)
        #expect(configuration.value("S", "text", default: Layout.list) == .list)
        #expect(configuration.value("S", "size", default: Size.small) == .large)
        #expect(configuration.value("S", "whole", default: Size.small) == .small)
        #expect(configuration.value("S", "null", default: Int?.some(3)) == nil)
        #expect(configuration.value("S", "text", default: Int?.some(3)) == 3)
        let other = try #require(URL(string: "https://example.org/"))
        #expect(configuration.value("S", "address", default: other).absoluteString == "https://example.com/a")
        #expect(configuration.value("S", "blank", default: other).absoluteString == "https://example.com/a%20b")
        #expect(configuration.value("S", "relative", default: other) == other)
        let instant = configuration.value("S", "instant", default: Date.distantPast)
        #expect(instant == Date(timeIntervalSince1970: 1_795_258_800))
    }

    /// A section's getters are those of the configuration.
    @Test("A section reads like its configuration")
    func sections() throws {
        let section = try #require(Configuration.sample(Self.settings)["S"])
        #expect(section.integer("whole", default: 1) == 42 && section.integer("absent", default: 1) == 1)
        #expect(section.bool("on", default: false) && section.string("text", default: "") == "abc")
        #expect(section.double("tenth", default: 0) == 10.5 && section.value("tenth", default: Float(0)) == 10.5)
        #expect(section.value("list", default: [String]()) == ["a", "b"])
        #expect(section.value("object", default: JSONObject()) == ["a": 1])
        #expect(section.value("text", default: Date.distantPast) == .distantPast)
        let other = try #require(URL(string: "https://example.org/"))
        #expect(section.value("absent", default: other) == other)
        #expect(section.value("layout", default: Layout.list) == .grid)
        #expect(try section.value("whole", as: Int.self) == 42)
        #expect(throws: SettingError.self) { try section.value("absent", as: Int.self) }
    }

    @Test("A reading has its source, its assignments and its problem")
    func readingsNameTheirSource() throws {
        var overrides = LocalOverrides()
        overrides.set("S", "text", "here")
        let configuration = Configuration(
            ConfigurationDocument(sections: ["S": .object(Self.settings)], meta: [:]), origin: .stored,
            overrides: overrides)
        #expect(configuration.reading("S", "whole", default: 1).source == .stored)
        #expect(configuration.reading("S", "text", default: "").source == .override)
        let wrong = configuration.reading("S", "tenth", default: 1)
        #expect(wrong.value == 1 && wrong.source == .default)
        #expect(try #require(wrong.problem).isAbsent == false)
        let absent = configuration.reading("S", "absent", default: 1)
        #expect(absent.value == 1 && absent.source == .default && absent.problem?.isAbsent == true)
        #expect(configuration.reading("S", "whole", default: 1).problem == nil)
        let assigned = Configuration.sample(["v": 1]).reading("S", "v", default: 0)
        #expect(assigned.assignments.map(\.experiment) == ["v"])
        let refused = Configuration.sample(["v": "x"]).reading("S", "v", default: 0)
        #expect(refused.source == .default && refused.assignments.map(\.experiment) == ["v"])
    }

    @Test("Strict reading refuses absent and mistyped values")
    func strictValues() throws {
        let configuration = Configuration.sample(Self.settings)
        #expect(try configuration.value("S", "whole", as: Int.self) == 42)
        #expect(try configuration.value("S", "layout", as: Layout.self) == .grid)
        #expect(try configuration.value("S", "null", as: Int?.self) == nil)
        #expect(
            message { try configuration.value("S", "tenth", as: Int.self) }
                == "S.tenth: expected a whole number, found the number 10.5; "
                + "correct the value in the definitions, or read it as another type")
        #expect(message { try configuration.value("S", "digits", as: Int.self) }.contains("found the text \"7\""))
        #expect(
            message { try configuration.value("S", "mixed", as: [String].self) }
                .hasPrefix("S.mixed[1]: expected text, found the number 1;"))
        #expect(
            message { try configuration.value("S", "text", as: Layout.self) }
                .contains("expected one of \"list\", \"grid\", found the text \"abc\""))
        #expect(
            message { try configuration.value("S", "absent", as: Int.self) }
                .hasPrefix("S.absent: the section has no such setting, expected a whole number;"))
        #expect(
            message { try configuration.value("T", "absent", as: Int.self) }
                .hasPrefix("T.absent: the configuration has no section \"T\""))
    }

    private func message<Value>(_ read: () throws -> Value) -> String {
        do {
            return "\(try read())"
        } catch {
            return "\(error)"
        }
    }

    /// Reading a setting that exists is an exposure, whether its value can be used or not: a variant with a bad value
    /// shows the default to its users, and stays in its experiment.
    @Test("Reading an existing setting is an exposure, an absent one is not")
    func exposures() throws {
        let log = ExposureLog()
        let configuration = Configuration.sample(Self.settings, log: log)
        let section = try #require(configuration["S"])
        _ = configuration.integer("S", "absent", default: 1)
        _ = configuration.integer("T", "whole", default: 1)
        _ = configuration.reading("S", "absent", default: 1)
        _ = try? configuration.value("S", "absent", as: Int.self)
        _ = section.activeConfig.integer("absent")
        _ = section.flurry().string("absent")
        #expect(log.exposed == [])
        _ = configuration.integer("S", "whole", default: 1)
        _ = configuration.integer("S", "whole", default: 1)
        _ = configuration.reading("S", "on", default: true)
        _ = try configuration.value("S", "layout", as: Layout.self)
        #expect(log.exposed == ["whole", "on", "layout"])
    }

    /// Each way to read the text "abc", which has none of the requested types.
    @Test(
        "Reading a value that cannot be used is an exposure",
        arguments: [
            { _ = $0.integer("text", default: 1) },
            { _ = try? $0.value("text", as: Int.self) }, { _ = $0.activeConfig.array("text") },
            { _ = $0.flurry().number("text") }, { _ = try? $0.decode(Int.self, "text") },
            { _ = $0.configuration.integer("S", "text", default: 1) },
            { _ = $0.configuration.reading("S", "text", default: 1) },
            { _ = try? $0.configuration.value("S", "text", as: Int.self) },
            { _ = try? $0.configuration.decode(Int.self, "S", "text") },
        ] as [@Sendable (ConfigurationSection) -> Void])
    func refusedValuesAreExposures(read: @Sendable (ConfigurationSection) -> Void) throws {
        let log = ExposureLog()
        read(try #require(Configuration.sample(Self.settings, log: log)["S"]))
        #expect(log.exposed == ["text"])
    }
}
