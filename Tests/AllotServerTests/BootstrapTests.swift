import AllotClient
import AllotConfiguration
import AllotServer
import HummingbirdTesting
import Testing

/// The server's answers as configurations that are bundled with an app.
struct BootstrapTests {
    /// The downloader of an app that is offline.
    private struct Offline: Downloader {
        func download(_ request: DownloadRequest) async throws(RequestError) -> DownloadAnswer {
            throw RequestError(.unreachable, "offline")
        }
    }

    private static func client(_ bundled: [UInt8]) -> ConfigurationClient {
        var options = ClientOptions()
        options.bootstrap = { try ConfigurationDocument(parsing: bundled) }
        return ConfigurationClient(downloader: Offline(), store: MemoryStore(), options: options)
    }

    private static let everyone =
        "status: running\nunit: none\nvariants: [{ key: on, overrides: { Page: { Title: Hi } } }]"
    private static let device = "status: running\nunit: device_id\nvariants: [{ key: on }]"
    private static let holdouts = "quiet: { share: 99.9999%, experiments: [button, beta, seats, box] }"

    /// Definitions, and the experiments in which each unit has a variant.
    static let definitions: [(files: [String: String], everyones: [String])] = [
        ([:], []),
        (Fixture.files, []),
        (["everyone.yaml": everyone], ["everyone"]),
        (["everyone.yaml": everyone.replacing("running", with: "concluded\nwinner: on")], ["everyone"]),
        (["everyone.yaml": everyone + "\naudience: { country: DE }"], ["everyone"]),
        (["everyone.yaml": everyone.replacing("running", with: "draft")], []),
        (Fixture.files.merging(["everyone.yaml": everyone, "device.yaml": device]) { $1 }, ["everyone"]),
        (Fixture.files.merging(["holdouts.yaml": holdouts, "device.yaml": device]) { $1 }, []),
    ]

    /// Requests for the configuration of no user, in Germany: path, query and body.
    static let requests: [(path: String, query: String, body: String?)] = [
        ("/activeconfig/user", "?country=DE", nil), ("/activeconfig/user/", "?country=DE", nil),
        ("/activeconfig/user/(null)", "?country=DE", nil), ("/activeconfig/user/%28null%29", "?country=DE", nil),
        ("/active_config", "?country=DE", nil), ("/active_config", "?userID=&country=DE", nil),
        ("/active_config", "?userID=(null)&country=DE", nil),
        ("/activeconfig/user/(null)", "", #"{"attributes": {"country": "DE", "seats": 12}}"#),
        ("/activeconfig/user/(null)", "?country=DE", "{}"),
    ]

    @Test("A generic configuration of the server can be bundled, whatever is defined", arguments: definitions.indices)
    func genericConfigurations(index: Int) async throws {
        let (files, everyones) = Self.definitions[index]
        let plan = try Fixture.plan(of: files.merging(["base.json": Fixture.base]) { $1 })
        let routes = AllotRoutes(AllotService(PlanStore(plan, loadedAt: Fixture.instant)))
        try await TestedRoutes(plan).test { client async throws in
            for (path, query, body) in Self.requests {
                let answer = try await client.send(path + query, body)
                let embedded = await routes.answer(path + query, body)
                for bytes in [answer.bytes, embedded.body] {
                    let app = Self.client(bytes)
                    #expect(throws: Never.self, "\(path)\(query)") { try app.validateBootstrap() }
                    #expect(app.current.origin == .bootstrap)
                    #expect(app.startProblems.isEmpty)
                    #expect(app.current.assignments.map(\.experiment) == everyones)
                    #expect((app.current.text("Page", "Title") ?? "") == (everyones.isEmpty ? "Hello" : "Hi"))
                }
            }
        }
    }

    @Test(
        "A configuration that was decided for one user is reported, and counts no unit as that user",
        arguments: [
            ("/activeconfig/user/tester", [:], ["assignments"]), ("/active_config?userID=tester", [:], ["assignments"]),
            // A device is a unit as well.
            ("/activeconfig/user?device_id=a", [:], ["assignments"]),
            ("/active_config?userID=held", ["holdouts.yaml": holdouts], ["holdouts"]),
        ] as [(String, [String: String], [String])])
    func personalConfigurations(uri: String, files: [String: String], members: [String]) async throws {
        let own = ["everyone.yaml": Self.everyone, "device.yaml": Self.device]
        let plan = try Fixture.plan(files.merging(own) { $1 })
        try await TestedRoutes(plan).test { client async throws in
            let app = Self.client(try await client.get(uri).bytes)
            #expect(throws: Rejection.personal(members)) { try app.validateBootstrap() }
            #expect(app.current.assignments.map(\.experiment) == ["everyone"])
            #expect(app.current.holdouts.isEmpty)
        }
    }
}
