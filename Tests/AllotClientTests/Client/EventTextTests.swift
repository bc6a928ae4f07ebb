import AllotConfiguration
import Foundation
import Testing

@testable import AllotClient

/// The texts of events in a log.
struct EventTextTests {
    private static let user = ConfigurationUser("secret-user", attributes: ["mail": "a@example.org"])
    private static let error = RequestError(.status(503), "the server answered with status 503; ask again later")
    private static let event = ExposureEvent(
        id: "secret-id", unit: "secret-user", experiment: "buy-button", variant: "green", at: "2026-11-21T12:00:00Z")

    private static func configuration(_ settings: JSONObject, meta: JSONObject = [:]) -> Configuration {
        Configuration(ConfigurationDocument(sections: ["S": .object(settings)], meta: meta), user: user)
    }

    private static let change = ConfigurationChange(
        from: configuration(["a": 1, "b": 1]),
        to: configuration(["a": 2, "b": 1, "c": 1], meta: ["assignments": ["e": ["variant": "x"]], "note": "n"]))

    @Test("A change names what differs, on one line")
    func changes() {
        #expect("\(Self.change)" == "settings S.a, S.c; experiments e; meta note")
        #expect("\(ConfigurationChange(from: .empty, to: .empty))" == "nothing")
        let many = JSONObject((10..<32).map { (key: "s\($0)", value: 1 as JSONValue) })
        let change = ConfigurationChange(from: Self.configuration([:]), to: Self.configuration(many))
        #expect("\(change)".hasSuffix("S.s18, S.s19 and 12 more"))
        let hidden = ConfigurationChange(from: Self.configuration([:]), to: Self.configuration(["a\nb": 1]))
        #expect("\(hidden)" == #"settings S.a\nb"#)
    }

    /// Each event, and its text.
    private static let events: [(event: ConfigurationEvent, text: String)] = [
        (
            .fetched(.empty, change),
            "the server sent a configuration; changed: settings S.a, S.c; experiments e; meta note"
        ),
        (.unchanged(user), "the server confirmed the configuration"),
        (.storedForOtherUser(user), "the server sent a configuration for a former user, which was stored"),
        (
            .superseded(user),
            "a configuration was discarded, because the user's attributes changed; refresh again"
        ),
        (
            .failed(user, error, retryIn: .seconds(2)),
            "the server answered with status 503; ask again later; the next attempt is in 2.0 seconds"
        ),
        (
            .failed(user, error, retryIn: nil),
            "the server answered with status 503; ask again later; there is no other attempt"
        ),
        (
            .rejected(user, .empty),
            "the server's configuration was rejected: the configuration has no sections; check the "
                + "server's URL"
        ),
        (
            .usedUnverified(user, .unsigned),
            "a configuration is used that is not verified: the configuration is not signed; sign configurations at "
                + "the server, or allow unsigned ones"
        ),
        (
            .activated(.empty, ConfigurationChange(from: .empty, to: .empty)),
            "a configuration became the current one; changed: nothing"
        ),
        (
            .updatesEnded(error, retryIn: .seconds(1)),
            "the connection to the server's events ended: the server answered with status 503; ask again later; the "
                + "next is made in 1.0 seconds"
        ),
        (
            .updatesEnded(nil, retryIn: .milliseconds(500)),
            "the connection to the server's events ended; the next is made in 0.5 seconds"
        ),
        (.storeFailed(StoreError(.unwritable, "/a: the disk is full; free space")), "/a: the disk is full; free space"),
        (.bootstrapFailed("it is empty"), "the bundled configuration is not used: it is empty"),
        (
            .unreportedExposures(experiment: "buy-button"),
            "exposures are not reported, such as one to buy-button; start the client with the server's URL, or give it "
                + "a reporter"
        ),
    ]

    @Test("Each event has a text of one line, without IDs and attributes of users", arguments: events.indices)
    func configurationEvents(index: Int) {
        let (event, text) = Self.events[index]
        #expect("\(event)" == text)
        #expect(!"\(event)".contains("secret"))
        #expect(!"\(event)".contains("example.org"))
    }

    private static let reports: [(report: ExposureReport, text: String)] = [
        (.recorded(event), "exposure to buy-button=green recorded"),
        (.adopted(count: 1), "1 exposure of an earlier run found"),
        (.sent(count: 3, duplicates: 0), "3 exposures sent"),
        (.sent(count: 3, duplicates: 2), "3 exposures sent, 2 of which the server had"),
        (
            .refused(ExposureRefusal(assignment: ExposureFixture.assignment(), reason: .shutDown)),
            "exposure to checkout-button=green not recorded: the reporter was shut down"
        ),
        (
            .dropped(event, reason: "there is no such variant"),
            "exposure to buy-button=green dropped, because the server never accepts it: there is no such variant"
        ),
        (
            .postponed(count: 2, reason: "there is no such experiment"),
            "2 exposures not accepted now, and sent again later: there is no such experiment"
        ),
        (
            .failed(error, retryIn: .seconds(10)),
            "exposures not sent: the server answered with status 503; ask again later; the next attempt is in 10.0 "
                + "seconds"
        ),
        (
            .failed(error, retryIn: nil),
            "exposures not sent: the server answered with status 503; ask again later; the next run sends them"
        ),
        (.notStored(StoreError(.corrupt, "line 3 is damaged")), "line 3 is damaged"),
    ]

    @Test("Each report of exposures has a text of one line, without IDs of units", arguments: reports.indices)
    func exposureReports(index: Int) {
        let (report, text) = Self.reports[index]
        #expect("\(report)" == text)
        #expect(!"\(report)".contains("secret"))
    }

    @Test("Texts of apps, stores and servers are on one line, too")
    func foreignTexts() {
        let text = "it failed:\nsecond\tline\u{202e}"
        let request = RequestError(.unreachable, text)
        let store = StoreError(.unwritable, text)
        let events: [ConfigurationEvent] = [
            .failed(Self.user, request, retryIn: nil), .updatesEnded(request, retryIn: .seconds(1)),
            .storeFailed(store), .bootstrapFailed(text),
        ]
        let reports: [ExposureReport] = [
            .dropped(Self.event, reason: text), .postponed(count: 1, reason: text), .failed(request, retryIn: nil),
            .notStored(store),
        ]
        let result = RefreshResult(.fetched, isChanged: true, storeError: store)
        for line in events.map({ "\($0)" }) + reports.map({ "\($0)" }) + ["\(result)"] {
            #expect(line.contains(#"it failed:\nsecond\tline\u202E"#))
        }
    }

    @Test("The result of a refresh has a text")
    func results() {
        #expect("\(RefreshResult(.unchanged, isChanged: false))" == "the server confirmed the configuration")
        let full = StoreError(.unwritable, "the disk is full")
        #expect(
            "\(RefreshResult(.fetched, isChanged: true, storeError: full))" == """
                the server sent a configuration; the latest one differs from the current one; it is not stored: \
                the disk is full
                """)
        #expect(
            "\(RefreshResult(.notDue, isChanged: false))"
                == "the server was not asked, because it was asked recently")
    }
}
