import AllotConfiguration
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AllotClient

/// The start of an app: with what comes in time, by one call, and with a log.
@Suite(.mayHang) struct StartingTests {
    let time = TestTime()

    /// A client that makes one attempt by default, and whose limit never passes unless a test says otherwise.
    private func client(
        _ downloader: ScriptedDownloader, store: any ConfigurationStore = MemoryStore(),
        _ activation: ClientOptions.Activation = .atStart, attempts: Int = 1,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Gate.never() }
    ) -> ConfigurationClient {
        var options = ClientOptions(activation: activation, retry: RetryPolicy(attempts: attempts)).under(time)
        options.clock.sleep = sleep
        return ConfigurationClient(
            downloader: downloader, store: store, user: ConfigurationUser("u"), options: options)
    }

    @Test(
        "A response in time is active when the call returns, whatever the activation",
        arguments: [ClientOptions.Activation.atStart, .whenFetched, .byCall])
    func responsesInTimeAreActive(activation: ClientOptions.Activation) async {
        let client = client(ScriptedDownloader(Served.ok(["S": ["a": 1]])), activation)
        let first = await client.refresh(within: .seconds(2))
        #expect(first == .inTime(RefreshResult(.fetched, isChanged: true)))
        #expect("\(first)" == "the app starts with the latest configuration: the server sent a configuration")
        #expect(client.current.value("S", "a") == 1)
        #expect(await client.refresh(within: .seconds(2)) == .inTime(RefreshResult(.notDue, isChanged: false)))
    }

    @Test("A failure in time says why the app starts with what it has")
    func failuresAreReported() async throws {
        let store = MemoryStore()
        try await self.client(ScriptedDownloader(Served.ok(["S": ["a": 1]])), store: store).refresh()
        time.advance(13 * 3600)
        let start = await client(ScriptedDownloader(Served.unreachable), store: store).refresh(within: .seconds(2))
        #expect(start == .failed(.failed(RequestError(.unreachable, "no server")), .stored))
        #expect(
            "\(start)" == "the app starts with the stored configuration: the configuration was not fetched: no server")
        #expect("\(TimedRefresh.failed(.failed(RequestError(.unreachable, "a\nb")), .none))".hasSuffix(#"a\nb"#))
    }

    @Test(
        "A download that is late continues, whether the limit has passed or the caller was cancelled",
        arguments: [false, true])
    func lateDownloadsContinue(isCancelled: Bool) async {
        let (gate, store) = (Gate(), MemoryStore())
        let downloader = ScriptedDownloader(Served.held(gate, Served.ok(["S": ["a": 2]])))
        let client = client(downloader, store: store) { _ in
            guard isCancelled else { return }
            try await Gate.never()
        }
        let events = client.events
        let starting = Task { await client.refresh(within: .seconds(2)) }
        await gate.arrival()
        if isCancelled { starting.cancel() }
        let start = await starting.value
        #expect(start == (isCancelled ? .failed(.cancelled, .none) : .late(.none, after: nil)))
        gate.open()
        for await case .fetched in events { break }
        // By default it is the current one at the next start of the app.
        #expect(client.current.value("S", "a") == nil)
        #expect(self.client(downloader, store: store).current.value("S", "a") == 2)
        #expect(downloader.requests.count == 1)
    }

    @Test("A late start names the failure of an attempt that is repeated")
    func failedAttemptsAreNamed() async {
        let (gate, limit) = (Gate(), Duration.seconds(77))
        let downloader = ScriptedDownloader(Served.unreachable, Served.held(gate, Served.unreachable))
        let client = client(downloader, attempts: 2) { if $0 == limit { await gate.arrival() } }
        let start = await client.refresh(within: limit)
        gate.open()
        #expect(start == .late(.none, after: .failed(RequestError(.unreachable, "no server"))))
        #expect(
            "\(start)" == "the app starts with the defaults in its code: the download continues after a failed "
                + "attempt: the configuration was not fetched: no server")
    }

    @Test("A limit that makes no sense is bounded")
    func limitsAreBounded() async {
        let gate = Gate()
        let client = client(ScriptedDownloader(Served.held(gate, Served.unreachable))) { [time] in time.sleep($0) }
        #expect(await client.refresh(within: .seconds(-1)) == .late(.none, after: nil))
        #expect(await client.refresh(within: .seconds(Int64.max)) == .late(.none, after: nil))
        #expect(time.sleeps == [.zero, .seconds(86_400)])
        gate.open()
    }

    @Test("An app whose server's URL changed starts with its defaults, and asks the new server at once")
    func storesBelongToServers() async throws {
        let server = try StubServer { _ in [.answer("200 OK", [], body: Served.body(["S": ["a": 1]]))] }
        func start(_ path: String, _ store: MemoryStore) throws -> ConfigurationClient {
            ConfigurationClient(
                server: try server.url(path), store: store, user: ConfigurationUser("u"),
                options: ClientOptions().under(time), exposures: nil)
        }
        let store = MemoryStore()
        try await start("", store).refresh()
        let same = try start("/", store)
        #expect(same.current.value("S", "a") == 1)
        #expect(try await same.refresh().outcome == .notDue)
        let other = try start("/other", store)
        #expect(other.current.origin == .none)
        #expect(try await other.refresh().outcome == .fetched)
        #expect(try await start("", store).refresh().outcome == .fetched)
        // Records of version 0.1.0 name no server.
        let old = MemoryStore()
        try await client(ScriptedDownloader(Served.ok(["S": ["a": 2]])), store: old).refresh()
        #expect(try start("/other", old).current.value("S", "a") == 2)
    }

    @Test("A client of a server follows that server's events, with its token")
    func clientsOfServersFollow() async throws {
        let server = try StubServer { request in
            let event = URLSessionUpdateSourceTests.event("r1")
            return request.target == "/events"
                ? [.send(URLSessionUpdateSourceTests.head + event), .hang]
                : [.answer("200 OK", [], body: Served.body(["S": ["a": 1]], meta: ["configuration_revision": "r1"]))]
        }
        let client = ConfigurationClient(
            server: try server.url(), store: MemoryStore(), token: "secret", options: .development, exposures: nil)
        let following = Task { await client.follow() }
        for await setting in client.updates(of: "S", "a") where setting.value == 1 { break }
        following.cancel()
        await following.value
        #expect(Set(server.requests.map(\.target)) == ["/events", "/activeconfig/user"])
        #expect(server.requests.allSatisfy { $0.header("authorization") == "Bearer secret" })
    }

    @Test("A client of a downloader says that it has no source of updates")
    func otherClientsHaveNoUpdates() async {
        let client = client(ScriptedDownloader(Served.unreachable))
        let events = client.events
        let following = Task { await client.follow() }
        for await event in events {
            #expect("\(event)".contains("the client has no source of updates; start it with the server's URL"))
            break
        }
        following.cancel()
        await following.value
    }

    @Test("The log receives each event in order, also those of the start and of exposures that are not reported")
    func eventsAreLogged() async {
        let log = Log()
        var options = ClientOptions(activation: .whenFetched, retry: RetryPolicy(attempts: 1)).under(time)
        options.log = { log.note($0) }
        options.bootstrap = { throw CocoaError(.fileNoSuchFile) }
        let client = ConfigurationClient(
            downloader: ScriptedDownloader(
                Served.ok(["S": ["a": 1]], assignments: ["e": ["variant": "b", "settings": ["S.a"]]])),
            store: MemoryStore(), user: ConfigurationUser("u"), options: options)
        _ = try? await client.refresh()
        _ = (client.current.value("S", "a"), client.current.value("S", "a"))
        #expect(
            log.kinds == [
                "the bundled configuration is not used", "the server sent a configuration; changed",
                "a configuration became the current one; changed", "exposures are not reported, such as one to e",
            ])
    }

    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])

        /// The texts until their first colon or fix.
        var kinds: [String] {
            lines.withLock { lines in
                lines.map { line in
                    let head = line.prefix { $0 != ":" }
                    return String(head.hasPrefix("exposures") ? head.prefix { $0 != ";" } : head)
                }
            }
        }

        func note(_ event: ConfigurationEvent) { lines.withLock { $0.append("\(event)") } }
    }
}

/// The app of 40 lines, in a process of its own.
@Suite(.blocks, .mayHang) struct FirstAppTests {
    /// The first lines of the app's output, and what it wrote to the standard error until then.
    private func lines(_ count: Int, _ server: URL) throws -> (output: [String], errors: [String]) {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let (output, errors) = (LineReader(), LineReader())
        let app = try RunningProgram(
            BuiltProgram("first-app").url, [server.absoluteString, "user-42"],
            environment: ["HOME": folder.path, "XDG_DATA_HOME": folder.path("data")], output: output.pipe,
            errors: errors.pipe)
        var lines: [String] = []
        while lines.count < count, let line = output.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        app.signal(SIGKILL)
        _ = app.waitForEnd()
        var problems: [String] = []
        while let line = errors.next() { problems.append(String(decoding: line, as: UTF8.self)) }
        return (lines, problems)
    }

    @Test("The app shows what the server sent, within its limit")
    func theServersScreenIsShown() throws {
        let server = try StubServer { request in
            guard request.target.hasPrefix("/activeconfig") else { return [.hang] }
            return [.answer("200 OK", [], body: Served.body(["Checkout": ["ButtonText": "Now", "Steps": 9]]))]
        }
        let shown = try lines(2, server.url())
        #expect(
            shown.output == [
                "the app starts with the latest configuration: the server sent a configuration",
                "[Now] in #1f6feb, 3 steps (default)",
            ])
        #expect(shown.errors.isEmpty)
        #expect(server.requests.contains { $0.target == "/activeconfig/user/user-42?country=DE" })
    }

    @Test("Without arguments the app ends with the status of wrong usage")
    func argumentsAreNeeded() throws {
        let outcome = try Outcome(of: BuiltProgram("first-app").url, [])
        #expect((outcome.status, outcome.text) == (64, "usage: first-app SERVER USER\n"))
    }

    @Test("Without a server the app shows its defaults, and a rejected configuration is logged by default")
    func defaultsAreShown() throws {
        let silent = try StubServer { _ in [.hang] }
        #expect(
            try lines(2, silent.url()).output == [
                "the app starts with the defaults in its code: the server did not answer in time, and the download "
                    + "continues", "[Buy] in #1f6feb, 3 steps (default)",
            ])
        #expect(!silent.requests.isEmpty)
        let portal = try StubServer { _ in [.success("<html>\n\u{202e}")] }
        let shown = try lines(2, portal.url())
        #expect(shown.output.last == "[Buy] in #1f6feb, 3 steps (default)")
        #expect(shown.errors.contains { $0.hasPrefix("allot: the server's configuration was rejected: ") })
        #expect(!shown.errors.contains { $0.contains("\u{202e}") })
        #expect(!portal.requests.isEmpty)
    }
}
