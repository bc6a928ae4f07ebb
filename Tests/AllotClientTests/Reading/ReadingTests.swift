import AllotConfiguration
import Foundation
import Testing

@testable import AllotClient

struct ReadingTests {
    static let settings: JSONObject = [
        "text": "abc", "whole": 42, "tenth": 10.5, "on": true, "address": "https://example.com/a",
        "relative": "/a", "instant": "2026-11-21T12:00:00+01:00",
    ]

    @Test("A snapshot reads the types of Foundation as well")
    func typesOfFoundation() throws {
        let configuration = Configuration.sample(Self.settings)
        let other = try #require(URL(string: "https://example.org/"))
        #expect(configuration.value("S", "address", default: other).absoluteString == "https://example.com/a")
        #expect(configuration.value("S", "relative", default: other) == other)
        let instant = configuration.value("S", "instant", default: Date.distantPast)
        #expect(instant == Date(timeIntervalSince1970: 1_795_258_800))
    }

    /// Reading a setting that exists is an exposure, whether its value can be used or not: a variant with a bad value
    /// shows the default to its users, and stays in its experiment.
    @Test("Reading an existing setting is an exposure, an absent one is not")
    func exposures() throws {
        let log = ExposureLog()
        let configuration = Configuration.sample(Self.settings, log: log)
        let section = try #require(configuration["S"])
        _ = configuration.integer("S", "absent")
        _ = configuration.integer("T", "whole")
        _ = configuration.value("S", "absent", default: 1)
        _ = try? configuration.value("S", "absent", as: Int.self)
        _ = try? configuration.decode(Int.self, "S", "absent")
        _ = section.activeConfig.integer("absent")
        _ = section.flurry().string("absent")
        _ = configuration.sections
        #expect(log.exposed == [])
        _ = configuration.integer("S", "whole")
        _ = configuration.integer("S", "whole")
        _ = configuration.value("S", "on", default: true)
        _ = try configuration.value("S", "tenth", as: Double.self)
        #expect(log.exposed == ["whole", "on", "tenth"])
    }

    /// Each way to read the text "abc", which has none of the requested types.
    @Test(
        "Reading a value that cannot be used is an exposure",
        arguments: [
            { _ = $0["text"]?.integer }, { _ = $0.activeConfig.array("text") }, { _ = $0.flurry().number("text") },
            { _ = try? $0["text"]?.decode(Int.self) },
            { _ = $0.configuration.integer("S", "text") }, { _ = $0.configuration.double("S", "text") },
            { _ = $0.configuration.boolean("S", "text") }, { _ = $0.configuration.value("S", "text", default: 1) },
            { _ = try? $0.configuration.value("S", "text", as: Int.self) },
            { _ = try? $0.configuration.decode(Int.self, "S", "text") },
        ] as [@Sendable (ConfigurationSection) -> Void])
    func refusedValuesAreExposures(read: @Sendable (ConfigurationSection) -> Void) throws {
        let log = ExposureLog()
        read(try #require(Configuration.sample(Self.settings, log: log)["S"]))
        #expect(log.exposed == ["text"])
    }
}
