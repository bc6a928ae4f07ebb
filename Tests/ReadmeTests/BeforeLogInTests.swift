import Allot
import AllotClient
import TestSupport
import Testing

/// The article "Before log-in" tells the truth.
struct BeforeLogInTests {
    /// Answers as a server with a plan.
    private struct PlanDownloader: Downloader {
        let plan: Plan

        func download(_ request: DownloadRequest) async throws(RequestError) -> DownloadAnswer {
            var attributes = request.user.attributes
            attributes[Subject.defaultUnit] = request.user.id.map(JSONValue.string)
            let configuration = plan.configuration(for: Subject(attributes: attributes), at: .now)
            return DownloadAnswer(body: configuration.canonicalBytes)
        }
    }

    private actor Log: ExposureSender {
        private(set) var events: [ExposureEvent] = []

        func send(_ events: [ExposureEvent]) async throws(RequestError) -> ExposureAnswer {
            self.events += events
            return ExposureAnswer(stored: events.count, duplicates: 0)
        }
    }

    /// The definitions of the article, and an experiment by user on the same screen.
    private static func plan() throws -> Plan {
        let article = try Document("Sources/AllotClient/AllotClient.docc/BeforeLogIn.md").text
        let welcome = try #require(article.firstMatch(of: /```yaml\n((?s:.)*?)```/)?.1)
        let folder = try TemporaryFolder([
            "base.yaml": """
            config_sections: { Welcome: { settings: { Steps: { value: 3 }, Title: { value: Hello } } } }
            """,
            "welcome.yaml": String(welcome),
            "title.yaml": """
            status: running
            variants: [{ key: control }, { key: warm, overrides: { Welcome: { Title: Hi } } }]
            """,
        ])
        return try withExtendedLifetime(folder) { try Plan.load(folder: folder.path) }
    }

    @Test(
        "One device keeps its variant through log-in and log-out, with one exposure", arguments: ["d-1", "d-2", "d-3"])
    func deviceKeepsItsVariant(device: String) async throws {
        func visitor(_ id: String? = nil) -> ConfigurationUser {
            ConfigurationUser(id, attributes: ["device_id": .string(device)])
        }
        let log = Log()
        let reporter = ExposureReporter(folder: nil, sender: log)
        let client = ConfigurationClient(
            downloader: PlanDownloader(plan: try Self.plan()), store: MemoryStore(), user: visitor(),
            exposures: reporter)
        try await client.fetchAndActivate()
        let variant = try #require(client.current.assignments["welcome"]?.variant)
        let steps = client.current.integer("Welcome", "Steps")
        #expect(steps == (variant == "short" ? 1 : 3))
        #expect(client.current.assignments["title"] == nil)
        for id in ["user-1", nil, "user-2", "user-1", nil] {
            client.setUser(visitor(id))
            // Before the server answers.
            #expect(client.current.integer("Welcome", "Steps") == steps)
            try await client.fetchAndActivate()
            #expect(client.current.integer("Welcome", "Steps") == steps)
            #expect(client.current.assignments["welcome"]?.variant == variant)
            #expect((client.current.assignments["title"] != nil) == (id != nil))
        }
        await reporter.flush()
        let events = await log.events
        #expect(events.map(\.experiment) == ["welcome"])
        #expect(events.map(\.unit) == [device])
        #expect(events.map(\.variant) == [variant])
        await reporter.shutdown()
    }
}
