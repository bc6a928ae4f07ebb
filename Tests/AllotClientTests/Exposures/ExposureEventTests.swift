import AllotConfiguration
import Foundation
import TestSupport
import Testing

@testable import AllotClient

/// A unit ID of the most bytes.
private let longest = String(repeating: "d", count: 1024)

@Suite(.mayHang) struct ExposureEventTests {
    private static let document = ConfigurationDocument(
        sections: ["Checkout": ["ButtonColor": "#00aa00"]],
        meta: [
            "assignments": [
                "checkout-button": [
                    "variant": "green", "reason": "split", "revision": "1f0c", "salt": "button-2",
                    "settings": ["Checkout.ButtonColor"],
                ]
            ]
        ])

    @Test("An event names the randomisation and describes its configuration")
    func eventsDescribeTheirConfiguration() throws {
        func event(
            _ origin: ConfigurationOrigin, age: Double?, isGeneric: Bool = false, _ overrides: LocalOverrides = .init()
        ) throws -> ExposureEvent {
            let configuration = Configuration(
                Self.document, user: ConfigurationUser("u"), origin: origin,
                fetchedAt: age.map { ExposureFixture.now.addingTimeInterval(-$0) }, isGeneric: isGeneric,
                overrides: overrides, recorder: nil)
            let assignment = try #require(configuration.assignments["checkout-button"])
            let event = try ExposureEvent(assignment, in: configuration, at: ExposureFixture.now)
            #expect(event.at == "2026-11-21T12:00:00.000Z")
            #expect(event.unit == "u")
            #expect(event.variant == assignment.variant)
            #expect(event.salt == "button-2")
            #expect(event.revision == "1f0c")
            #expect(UUID(uuidString: event.id) != nil)
            return event
        }
        let remote = try event(.remote, age: 61.9)
        #expect(remote.attributes == ["source": "remote", "configuration_age": 61])
        #expect(remote.reason == "split")
        #expect(!remote.isOverridden)
        // Fetched in the future of a clock that was set back.
        #expect(try event(.stored, age: -1).attributes == ["source": "stored"])
        #expect(
            try event(.bootstrap, age: nil, isGeneric: true).attributes == ["source": "bootstrap", "generic": true])
        var chosen = LocalOverrides()
        chosen.choose(.init("blue"), of: "checkout-button")
        let override = try event(.remote, age: 0, chosen)
        #expect(override.attributes == ["source": "remote", "configuration_age": 0])
        #expect(override.reason == "override")
        #expect(override.isOverridden)
        var set = LocalOverrides()
        set.set("Checkout", "ButtonColor", "#ffffff")
        #expect(try event(.remote, age: nil, set).isOverridden)
    }

    @Test(
        "A unit is the attribute of its name, or the one at the end of its path, read as by the server",
        arguments: [
            (["org": ["id": "acme"]], "acme"), (["org.id": "flat"], "flat"), (["org": ["id": 42]], "42"),
            (["org": ["id": "nested"], "org.id": "flat"], "flat"), (["org": ["id": 4.5]], nil), (["org": "acme"], nil),
            (["org": ["name": "acme"]], nil), (["org.id": 7, "org": ["id": "nested"]], "7"), ([:], nil),
            (["org.id": -0], "0"), (["org.id": 9_007_199_254_740_991], "9007199254740991"),
            (["org.id": .number(JSONNumber(unchecked: "-0"))], "0"), (["org.id": 9_007_199_254_740_992], nil),
            (["org.id": .number(JSONNumber(unchecked: "1e3"))], nil), (["org.id": ""], nil), (["org.id": true], nil),
            (["org.id": .null], nil), (["org.id": "a\u{0}"], nil), (["org.id": ["a"]], nil),
            (["org.id": .string(longest)], Optional(longest)), (["org.id": .string(longest + "d")], nil),
        ] as [(JSONObject, String?)])
    func units(attributes: JSONObject, unit: String?) {
        let configuration = ExposureFixture.configuration(attributes: attributes)
        let assignment = ExposureFixture.assignment(unit: "org.id")
        let event = try? ExposureEvent(assignment, in: configuration, at: ExposureFixture.now)
        #expect(event.map { Array($0.unit.utf8) } == unit.map { Array($0.utf8) })
    }

    @Test("A compared value that was set on the device is an override in a control, too")
    func overridesAreNotCountedInAControl() throws {
        let control: JSONValue = ["variant": "control", "settings": [], "settings_compared": ["Checkout.ButtonColor"]]
        let document = ConfigurationDocument(
            sections: Self.document.sections, meta: ["assignments": ["checkout-button": control]])
        for (setting, isOverridden) in [("ButtonColor", true), ("Other", false)] {
            var set = LocalOverrides()
            set.set("Checkout", setting, "#ffffff")
            let configuration = Configuration(document, user: ConfigurationUser("u"), overrides: set)
            let assignment = try #require(configuration.assignments["checkout-button"])
            let event = try ExposureEvent(assignment, in: configuration, at: ExposureFixture.now)
            #expect(event.isOverridden == isOverridden)
        }
    }

    @Test("An event is sent with the members that the server reads")
    func eventsHaveTheServersMembers() throws {
        var event = ExposureFixture.event("a")
        let members: JSONObject = [
            "at": "2026-11-21T12:00:00.000Z", "attributes": ["source": "remote"], "experiment": "checkout-button",
            "id": "event-a", "reason": "split", "revision": "1f0c", "salt": "checkout-button", "unit": "a",
            "variant": "green",
        ]
        #expect(event.json == .object(members))
        let configuration = ExposureFixture.configuration("a")
        event = try ExposureEvent(
            ExposureFixture.assignment(revision: nil, reason: "override"), in: configuration, at: ExposureFixture.now)
        #expect(event.json.asObject?["override"] == true)
        #expect(event.json.asObject?["revision"] == nil)
        #expect(ExposureEvent(event.json) == event)
    }

    @Test(
        "The event of a unit of several attributes has the joined ID and the window, each window an exposure of its own"
    )
    func unitsInWindows() throws {
        let configuration = ExposureFixture.configuration(attributes: ["city": "ber|lin", "line": 7])
        let events = try [3, 4].map { window in
            try ExposureEvent(
                ExperimentAssignment(
                    experiment: "surge-price", variant: "on", reason: "split", unit: "city|line", window: window),
                in: configuration, at: ExposureFixture.now)
        }
        #expect(events.map(\.unit) == ["ber\\|lin|7", "ber\\|lin|7"])
        #expect(events.map { $0.json.asObject?["window"] } == [3, 4])
        #expect(ExposureEvent(events[0].json) == events[0])
        #expect(events[0].fingerprint != events[1].fingerprint)
        let partial = ExposureFixture.configuration(attributes: ["city": "berlin"])
        #expect(throws: ExposureRefusal.self) {
            try ExposureEvent(
                ExperimentAssignment(experiment: "surge-price", variant: "on", reason: "split", unit: "city|line"),
                in: partial, at: ExposureFixture.now)
        }
    }

    @Test("Events stay within the server's limits")
    func eventsFitTheServer() async throws {
        let assignment = ExposureFixture.assignment(
            revision: String(repeating: "r", count: 5000), reason: String(repeating: "é", count: 300))
        let event = try ExposureEvent(assignment, in: ExposureFixture.configuration(), at: ExposureFixture.now)
        #expect(event.revision == String(repeating: "r", count: 64))
        #expect(event.reason == String(repeating: "é", count: 32))
        let huge = ExposureFixture.assignment("x", String(repeating: "v", count: 20_000))
        let reporter = ExposureReporter.make(nil, FakeExposureServer())
        var reports = reporter.events.makeAsyncIterator()
        reporter.record(huge, in: ExposureFixture.configuration())
        guard case .refused(let refusal)? = await reports.next() else { return #expect(Bool(false), "no refusal") }
        #expect(refusal == ExposureRefusal(assignment: huge, reason: .tooLarge))
        #expect(reporter.waitingCount == 0)
    }

    /// Their attributes have what is a member now, and the server knows the salt of its definition.
    @Test("Events in the journal of an earlier version are sent")
    func eventsOfEarlierVersionsAreSent() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            cdebfefbb3d63474a862b424cc732d50 {"at":"2026-11-21T12:00:00.000Z","attributes":{"configuration_age":61,\
            "reason":"split","revision":"1f0c","source":"remote"},"experiment":"checkout-button",\
            "id":"0b0e1f6e-8a5b-4a3e-9d3e-0c6a3b1d2f4a","unit":"user-1","variant":"green"}
            a5af1b8a4f40b1285eee15e21bf7e933 {"at":"2026-11-21T12:00:01.000Z","attributes":{"override":true,\
            "reason":"override","source":"stored"},"experiment":"checkout-button",\
            "id":"7d1c9a52-33c7-4c55-8f6e-5f2b8f0f9a11","unit":"user-1","variant":"green"}
            9b0438b7bacb72049a2fb75c6d1062ea {"at":"2026-11-21T12:00:02.000Z","attributes":{"reason":"",\
            "source":"bootstrap"},"experiment":"search","id":"5a0e6d0c-6a0f-4b43-9d58-2f7c2f8f6b7e","unit":"user-1",\
            "variant":"b"}

            """, to: "exposures-1-0b.journal")
        let server = FakeExposureServer()
        let reporter = ExposureReporter.make(folder.path, server)
        #expect(reporter.waitingCount == 3)
        // They are the exposures that would be recorded now.
        reporter.record(ExposureFixture.assignment(), in: ExposureFixture.configuration())
        reporter.record(ExposureFixture.assignment(reason: "override"), in: ExposureFixture.configuration())
        await reporter.flush()
        #expect(
            server.stored.map(\.json.canonicalText).joined(separator: "\n") == """
                {"at":"2026-11-21T12:00:00.000Z","attributes":{"configuration_age":61,"source":"remote"},\
                "experiment":"checkout-button","id":"0b0e1f6e-8a5b-4a3e-9d3e-0c6a3b1d2f4a","reason":"split",\
                "revision":"1f0c","unit":"user-1","variant":"green"}
                {"at":"2026-11-21T12:00:01.000Z","attributes":{"source":"stored"},"experiment":"checkout-button",\
                "id":"7d1c9a52-33c7-4c55-8f6e-5f2b8f0f9a11","override":true,"reason":"override","unit":"user-1",\
                "variant":"green"}
                {"at":"2026-11-21T12:00:02.000Z","attributes":{"reason":"","source":"bootstrap"},\
                "experiment":"search","id":"5a0e6d0c-6a0f-4b43-9d58-2f7c2f8f6b7e","reason":"split",\
                "unit":"user-1","variant":"b"}
                """)
    }
}
