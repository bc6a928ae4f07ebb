import AllotConfiguration
import Foundation
import Synchronization
import Testing

@testable import AllotClient

struct OverridingTests {
    let time = TestTime()
    let store = MemoryStore()

    /// Believes everything, for tests of what payloads do.
    private struct Credulous: SignatureVerifier {
        func verify(_ signature: DetachedSignature, payload: [UInt8]) {}
    }

    private func client(
        allowsInvalidSignatures: Bool = false,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Gate.never() }
    ) async throws -> ConfigurationClient {
        var options = ClientOptions.development.under(time)
        options.allowsInvalidSignatures = allowsInvalidSignatures
        options.clock.sleep = sleep
        let client = ConfigurationClient(
            downloader: ScriptedDownloader(Served.ok(["S": ["a": 1, "b": 1]])), store: store,
            user: ConfigurationUser("u"), options: options)
        try await client.refresh()
        return client
    }

    private func token(_ values: JSONObject, issued: Double = 0, lifetime: Int64? = nil) throws -> String {
        let seconds = Int64(time.now.timeIntervalSince1970 + issued)
        let payload = try DevicePayload(
            app: "app", device: "device", issued: seconds, expires: lifetime.map { seconds + $0 }, applying: values)
        let header = SignatureHeader(algorithm: .es256, keyID: "k")
        let signature = DetachedSignature(header: header, bytes: Array(repeating: 1, count: 64))
        return SignedToken(payload: payload.canonicalBytes, signature: signature).text
    }

    private func apply(_ token: String, _ client: ConfigurationClient) throws {
        try client.apply(token: token, verifier: Credulous(), app: "app", device: "device")
    }

    @Test("Overrides are kept between runs until they are reset")
    func overridesAreKeptAndReset() async throws {
        var client = try await client()
        // The client can be used while its overrides are changed.
        let problem = client.changeOverrides { [client] in $0.set("S", "a", client.user.id == "u" ? 7 : nil) }
        #expect(problem == nil)
        client.override(experiment: "e", with: .init("x", values: ["S": ["b": 8]]))
        for _ in 0..<2 {
            #expect(client.current.value("S", "a") == 7)
            #expect(client.current.value("S", "b") == 8)
            #expect(client.current.source("S", "a") == .override)
            #expect(client.current.assignments["e"]?.isOverridden == true)
            client = try await self.client()
        }
        client.override("S", "a", with: nil)
        #expect(client.current.value("S", "a") == 1)
        #expect(client.current.value("S", "b") == 8)
        client.resetOverrides()
        #expect(client.current.value("S", "b") == 1)
        #expect(client.current.overrides.isEmpty)
        #expect(try await self.client().current.overrides.isEmpty)
    }

    @Test("A payload expires after seven days")
    func aPayloadEndsAfterSevenDaysForAll() async throws {
        let client = try await client()
        try apply(token(["S": ["a": 99]]), client)
        #expect(client.current.value("S", "a") == 99)
        time.advance(7 * 86_400 - 1)
        #expect(client.current.value("S", "a") == 99)
        time.advance(1)
        var listener = client.updates(of: "S", "a").makeAsyncIterator()
        _ = client.current
        #expect(await listener.next()?.value == 1)
        // Overrides that are set after the end are not lost with it.
        client.override("S", "b", with: 5)
        #expect(client.current.value("S", "b") == 5)
        time.advance(86_400 * 365)
        #expect(client.current.value("S", "b") == 5)
    }

    @Test("Subscribers are notified when overrides expire, although the clock was set back before")
    func clockSetBackBeforeTheEnd() async throws {
        let gates = [Gate(), Gate()]
        let waits = Mutex(0)
        let client = try await client { _ in
            let number = waits.withLock { number in
                defer { number += 1 }
                return number
            }
            if number < gates.count { await gates[number].pass() } else { try await Gate.never() }
        }
        try apply(token(["S": ["a": 99]]), client)
        var listener = client.updates(of: "S", "a").makeAsyncIterator()
        #expect(await listener.next()?.value == 99)
        await gates[0].arrival()
        time.advance(7 * 86_400 - 0.05)
        gates[0].open()
        await gates[1].arrival()
        time.advance(0.05)
        gates[1].open()
        #expect(await listener.next()?.value == 1)
    }

    @Test("A refresh does not restore expired overrides")
    func aRefreshDoesNotBringExpiredOverridesBack() async throws {
        let client = try await client()
        try apply(token(["S": ["a": 99]], lifetime: 10), client)
        time.advance(10)
        try await client.refresh()
        #expect(client.hub.current.value("S", "a") == 1)
        #expect(try await self.client().current.value("S", "a") == 1)
    }

    @Test("Expired and outdated tokens are refused")
    func tokensAreUsedOnceAndInTime() async throws {
        let client = try await client()
        let first = try token(["S": ["a": 99]])
        try apply(first, client)
        time.advance(10)
        try apply(token(["S": ["a": 98]]), client)
        #expect(throws: TokenError.olderThanTheLast) { try apply(first, client) }
        client.resetOverrides()
        #expect(throws: TokenError.olderThanTheLast) { try apply(first, client) }
        let next = try await self.client()
        #expect(throws: TokenError.olderThanTheLast) { try apply(first, next) }
        #expect(throws: (any Error).self) { try apply(token(["S": ["a": 97]], issued: 90_000), client) }
        #expect(throws: DevicePayloadError.self) {
            try apply(token(["S": ["a": 97]], issued: -100, lifetime: 50), client)
        }
        #expect(throws: (any Error).self) {
            try client.apply(
                token: token(["S": ["a": 97]]), verifier: Credulous(), app: "app", device: "another")
        }
        #expect(client.current.value("S", "a") == 1)
    }

    /// Believes nothing.
    private struct Distrustful: SignatureVerifier {
        func verify(_ signature: DetachedSignature, payload: [UInt8]) throws(SignatureError) {
            throw SignatureError(.mismatch, "no pinned key has signed it")
        }
    }

    @Test("A token with an invalid signature is refused, or applied and reported where the app allows it")
    func invalidSignatures() async throws {
        func apply(_ token: String, _ client: ConfigurationClient, device: String = "device") throws {
            try client.apply(token: token, verifier: Distrustful(), app: "app", device: device)
        }
        let first = try token(["S": ["a": 99]])
        let strict = try await client()
        #expect(throws: SignatureError.self) { try apply(first, strict) }
        #expect(strict.current.value("S", "a") == 1)
        let lenient = try await client(allowsInvalidSignatures: true)
        var events = lenient.events.makeAsyncIterator()
        // Only the signature is not checked.
        #expect(throws: DevicePayloadError.self) { try apply(first, lenient, device: "another") }
        try apply(first, lenient)
        #expect(lenient.current.value("S", "a") == 99)
        let earlier = try token(["S": ["a": 98]], issued: -1)
        #expect(throws: TokenError.olderThanTheLast) { try apply(earlier, lenient) }
        let event = await events.next()
        #expect(event?.description == "a device token was applied that is not verified: no pinned key has signed it")
    }

    @Test("Configurations with an invalid signature are rejected, or used and reported where the app allows it")
    func invalidConfigurations() async throws {
        func client(allows: Bool) -> ConfigurationClient {
            var options = ClientOptions(activation: .whenFetched, signatures: .required(Distrustful())).under(time)
            options.allowsInvalidSignatures = allows
            return ConfigurationClient(
                downloader: ScriptedDownloader(Served.ok(["S": ["a": 1]])), store: store, options: options)
        }
        func isUnverified(_ event: ConfigurationEvent?) -> Bool {
            if case .usedUnverified(_, .unsigned)? = event { true } else { false }
        }
        let first = client(allows: true)
        var events = first.events.makeAsyncIterator()
        try await first.refresh()
        #expect(first.current.value("S", "a") == 1)
        #expect(isUnverified(await events.next()))
        #expect(client(allows: true).startProblems.contains(where: isUnverified))
        // The one that is stored is not used either.
        let strict = client(allows: false)
        #expect(strict.current.value("S", "a") == nil)
        await #expect(throws: RefreshError.rejected(.unsigned)) { try await strict.refresh() }
    }

    @Test("Events of concurrent changes arrive in order")
    func eventsComeInOrder() async throws {
        let client = try await client()
        let events = client.events
        let seen = Task {
            var last = 0
            for await case .activated(let configuration, _) in events {
                let number = Self.number(configuration.overrides)
                #expect(number > last)
                last = number
                if number == 2000 { return }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 {
                        client.update { state in
                            let number = Self.number(state.overrides)
                            state.overrides.set("S", "n", .number(JSONNumber(number + 1)))
                        }
                    }
                }
            }
        }
        await seen.value
    }

    private static func number(_ overrides: LocalOverrides) -> Int {
        overrides.values["S"]?.asObject?["n"]?.integer ?? 0
    }
}

extension Gate {
    /// Waits until the task is cancelled.
    static func never() async throws {
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
    }
}
