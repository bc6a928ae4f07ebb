import AllotClient
import AllotConfiguration
import AllotDefinitions
import AllotExposures
import AllotFiles
import AllotSigning
import Foundation
import TestSupport
import Testing

/// Apps against a server that runs.
@Suite(.runsServer) struct AppTests {
    private func address(_ server: RunningServer) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    }

    private func client(_ address: URL, _ options: ClientOptions = .development, exposures: ExposureReporter? = nil)
        -> ConfigurationClient
    {
        ConfigurationClient(
            downloader: URLSessionDownloader(server: address), store: MemoryStore(), user: ConfigurationUser("u1"),
            options: options, exposures: exposures)
    }

    @Test("A client fetches a configuration and is notified of changes")
    func aClientFetchesAndHearsOfChanges() async throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let client = client(try address(server))
        #expect(try await client.refresh().outcome == .fetched)
        let first = client.current
        #expect(first.origin == .remote)
        #expect(!first.assignments.isEmpty)
        #expect(first.document.revision != nil)
        #expect(try await client.refresh().outcome == .unchanged)

        let source = URLSessionUpdateSource(server: try address(server))
        let following = Task { await client.follow(source) }
        let base = try String(contentsOfFile: folder.path("definitions/base.json"), encoding: .utf8)
        let name = try #require(first.sectionNames.first)
        let setting = try #require(first[name]?.settingNames.first)
        var changes = client.updates().makeAsyncIterator()
        _ = await changes.next()
        try folder.replace("definitions/base.json", Self.adding("AddedLater", to: base))
        server.signal(SIGHUP)
        let second = try #require(await changes.next())
        #expect(second["AddedLater"] != nil)
        #expect(second.value(name, setting) == first.value(name, setting))
        following.cancel()
    }

    @Test("An app that follows the server learns of a start and an end when they pass", .mayHang)
    func followersLearnOfBoundaries() async throws {
        let folder = try ServerFolder()
        let boundary = Instant(seconds: Instant.now.seconds + 4)
        for (key, schedule) in [("coming", "starts"), ("going", "ends")] {
            try folder.write(
                "status: running\n\(schedule): \(boundary)\nvariants: [{ key: on }]\n", to: "definitions/\(key).yaml")
        }
        let server = try RunningServer(folder.arguments)
        let client = client(try address(server))
        var changes = client.updates().makeAsyncIterator()
        let source = URLSessionUpdateSource(server: try address(server))
        let following = Task { await client.follow(source) }
        var timed: [String] = []
        repeat {
            let configuration = try #require(await changes.next())
            timed = configuration.assignments.map(\.experiment).filter { ["coming", "going"].contains($0) }
        } while timed != ["coming"]
        #expect(Instant.now >= boundary)
        following.cancel()
    }

    /// A base with one more section.
    private static func adding(_ section: String, to base: String) throws -> String {
        guard case .object(var document) = try JSONValue(parsing: Array(base.utf8)),
            case .object(var sections)? = document["config_sections"]
        else { throw CocoaError(.fileReadCorruptFile) }
        sections[section] = ["settings": ["On": ["value": true]]]
        document["config_sections"] = .object(sections)
        return JSONValue.object(document).canonicalText
    }

    @Test("An app's exposures reach the server once")
    func exposuresReachTheServerOnce() async throws {
        let folder = try ServerFolder()
        let server = try RunningServer(folder.arguments)
        let address = try address(server)
        let reporter = ExposureReporter(folder: nil, sender: URLSessionExposureSender(server: address))
        let client = client(address, exposures: reporter)
        try await client.refresh()
        let assignment = try #require(client.current.assignments.first)
        for _ in 0..<3 { client.current.expose(assignment.experiment) }
        await reporter.flush()
        client.current.expose(assignment.experiment)
        await reporter.flush()
        let answer = try server.get("/exposures?experiment=\(assignment.experiment)")
        let lines = answer.body.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.last?.contains("u1,") == true)
        #expect(lines.last?.contains("remote") == true)
    }

    @Test("A client believes only configurations that the server signed")
    func onlyWhatTheServerSignedIsBelieved() async throws {
        let folder = try ServerFolder()
        let key = try SigningKey.generate(.es256)
        try folder.write(key.privateKeyPEM, to: "signing.pem")
        let server = try RunningServer(folder.arguments + ["--signing-key", folder.path("signing.pem")])
        let address = try address(server)
        var options = ClientOptions.development
        options.signatures = .required(try PublicKeyVerifier(pem: key.publicKeyPEM))
        #expect(try await client(address, options).refresh().outcome == .fetched)
        options.signatures = .required(try PublicKeyVerifier(pem: SigningKey.generate(.es256).publicKeyPEM))
        let distrustful = client(address, options)
        await #expect(throws: RefreshError.self) { try await distrustful.refresh() }
        #expect(distrustful.current.origin == .none)
        options.signatures = .required(try PublicKeyVerifier(pem: key.publicKeyPEM))
        let another = try ServerFolder()
        let unsigned = try RunningServer(another.arguments)
        await #expect(throws: RefreshError.rejected(.unsigned)) {
            try await client(try self.address(unsigned), options).refresh()
        }
    }

    @Test("The sample app shows its settings")
    func theSampleAppShowsItsSettings() throws {
        let folder = try ServerFolder()
        let definitions = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Experiments").path
        let server = try RunningServer(
            ["--definitions", definitions, "--exposures", folder.path("exposures.sqlite")])
        func run(_ arguments: [String]) throws -> Outcome {
            try ServerProgram.run(
                BuiltProgram("shop-app").url,
                ["user-42", "country=DE", "--once", "--store", folder.path("store")] + arguments)
        }
        let served = try run(["--server", "http://127.0.0.1:\(server.port)"])
        #expect(served.status == 0, "\(served.errors)")
        #expect(served.errors.isEmpty, "\(served.errors)")
        #expect(served.text.contains("(remote)"))
        #expect(served.text.contains("buy-button: "))
        let pinned = try run(["--server", "http://127.0.0.1:\(server.port)", "--pin", "buy-button=green"])
        #expect(pinned.text.contains("(override)"))
        #expect(pinned.text.contains("buy-button: green (override)"))
        #expect(try run(["--server", "http://127.0.0.1:1", "--unpin"]).text.contains("(default)"))
        // Without its server it shows what it has, and says why nothing is newer.
        server.signal(SIGINT)
        #expect(try server.waitForEnd() == 0)
        let alone = try run(["--server", "http://127.0.0.1:\(server.port)"])
        #expect(alone.text.contains("(stored)"))
        #expect(alone.errors.contains("was not reached"))
        #expect(
            alone.text.replacingOccurrences(of: "(stored)", with: "(remote)") == served.text, "\(alone.text)")
    }
}
