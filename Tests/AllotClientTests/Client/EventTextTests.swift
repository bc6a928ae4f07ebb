import AllotConfiguration
import Testing

@testable import AllotClient

/// The texts of events in a log.
struct EventTextTests {
    private static let user = ConfigurationUser("secret-user", attributes: ["mail": "a@example.org"])
    private static let error = RequestError(.status(503), "the server answered with status 503; ask again later")
    private static let event = ExposureEvent(
        id: "secret-id", unit: "secret-user", experiment: "buy-button", variant: "green", at: "2026-11-21T12:00:00Z")

    private static func changed(to settings: JSONObject, meta: JSONObject = [:]) -> ConfigurationChange {
        ConfigurationChange(
            from: Configuration(ConfigurationDocument(sections: ["S": ["a": 1, "b": 1]], meta: [:]), user: user),
            to: Configuration(ConfigurationDocument(sections: ["S": .object(settings)], meta: meta), user: user))
    }

    private static let change = changed(
        to: ["a": 2, "b": 1, "c": 1], meta: ["assignments": ["e": ["variant": "x"]], "note": "n"])

    @Test("A change names what differs, on one line")
    func changes() {
        #expect("\(Self.change)" == "settings S.a, S.c; experiments e; meta note")
        #expect("\(Self.changed(to: ["a": 1, "b": 1]))" == "nothing")
        var many: JSONObject = ["a": 1, "b": 1]
        for number in 10..<32 { many["s\(number)"] = 1 }
        #expect("\(Self.changed(to: many))".hasSuffix("S.s18, S.s19 and 12 more"))
        #expect("\(Self.changed(to: ["a": 1, "b": 1, "a\nb": 1]))" == #"settings S.a\nb"#)
    }

    private static let events: [ConfigurationEvent] = [
        .fetched(.empty, change), .unchanged(user), .storedForOtherUser(user), .superseded(user),
        .failed(user, error, retryIn: .seconds(2)), .failed(user, error, retryIn: nil), .rejected(user, .empty),
        .usedUnverified(user, .unsigned), .appliedUnverified(SignatureError(.mismatch, "no pinned key has signed it")),
        .activated(.empty, ConfigurationChange(from: .empty, to: .empty)),
        .updatesEnded(error, retryIn: .seconds(1)), .updatesEnded(nil, retryIn: .milliseconds(500)),
        .storeFailed(StoreError(.unwritable, "/a: the disk is full; free space")), .bootstrapFailed("it is empty"),
        .unreportedExposures(experiment: "buy-button"),
    ]

    private static let reports: [ExposureReport] = [
        .recorded(event), .adopted(count: 1), .sent(count: 3, duplicates: 0), .sent(count: 3, duplicates: 2),
        .refused(ExposureRefusal(assignment: ExposureFixture.assignment(), reason: .shutDown)),
        .dropped(event, reason: "there is no such variant"),
        .postponed(count: 2, reason: "there is no such experiment"), .failed(error, retryIn: .seconds(10)),
        .failed(error, retryIn: nil), .notStored(StoreError(.corrupt, "line 3 is damaged")),
    ]

    private static let results = [
        RefreshResult(.unchanged, isChanged: false), RefreshResult(.notDue, isChanged: false),
        RefreshResult(.fetched, isChanged: true, storeError: StoreError(.unwritable, "the disk is full")),
    ]

    /// The texts have no IDs and attributes of users.
    @Test("Each event, report and result has a text of one line")
    func texts() {
        let lines = Self.events.map { "\($0)" } + Self.reports.map { "\($0)" } + Self.results.map { "\($0)" }
        #expect(
            lines.joined(separator: "\n") == """
                the server sent a configuration; changed: settings S.a, S.c; experiments e; meta note
                the server confirmed the configuration
                the server sent a configuration for a former user, which was stored
                a configuration was discarded, because the user's attributes changed; refresh again
                the server answered with status 503; ask again later; the next attempt is in 2.0 seconds
                the server answered with status 503; ask again later; there is no other attempt
                the server's configuration was rejected: the configuration has no sections; check the server's URL
                a configuration is used that is not verified: the configuration is not signed; sign configurations at \
                the server, or allow unsigned ones
                a device token was applied that is not verified: no pinned key has signed it
                a configuration became the current one; changed: nothing
                the connection to the server's events ended: the server answered with status 503; ask again later; \
                the next is made in 1.0 seconds
                the connection to the server's events ended; the next is made in 0.5 seconds
                /a: the disk is full; free space
                the bundled configuration is not used: it is empty
                exposures are not reported, such as one to buy-button; start the client with the server's URL, or \
                give it a reporter
                exposure to buy-button=green recorded
                1 exposure of an earlier run found
                3 exposures sent
                3 exposures sent, 2 of which the server had
                exposure to checkout-button=green not recorded: the reporter was shut down
                exposure to buy-button=green dropped, because the server never accepts it: there is no such variant
                2 exposures not accepted now, and sent again later: there is no such experiment
                exposures not sent: the server answered with status 503; ask again later; the next attempt is in \
                10.0 seconds
                exposures not sent: the server answered with status 503; ask again later; the next run sends them
                line 3 is damaged
                the server confirmed the configuration
                the server was not asked, because it was asked recently
                the server sent a configuration; the latest one differs from the current one; it is not stored: the \
                disk is full
                """)
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
}
