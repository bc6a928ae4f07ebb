import AllotClient
import AllotConfiguration
import TestSupport
import Testing

/// Flurry's life of a configuration: fetched for the next cold start, or activated greedily.
struct FlurryConformanceTests: ClientSuite {
    let time = TestTime()

    @Test("Fetching, activating and reading follow Flurry's lifecycle")
    func lifecycle() async throws {
        let cases = try Conformance.cases("flurry/lifecycle_cases.json")
        for state in cases {
            guard case .array(let steps)? = state["steps"] else {
                Issue.record("no steps: \(state)")
                continue
            }
            let downloader = ScriptedDownloader(Served.unreachable)
            let store = MemoryStore()
            func start() -> ConfigurationClient {
                self.client(
                    downloader, store: store, ClientOptions(minimumInterval: .zero, retry: RetryPolicy(attempts: 1)))
            }
            var client = start()
            var events = client.events
            var isActivated: Bool?
            var told: [String] = []
            for case .string(let step) in steps {
                switch step {
                case "fetch -> changed {k:v1}":
                    downloader.answer(Served.ok(["S": ["k": "v1"]]))
                    _ = try await client.refresh()
                case "fetch -> no change":
                    downloader.answer(Served.ok(["S": ["k": "v0"]], tag: "1"), Served.unchanged)
                    _ = try await client.refresh()
                    events = client.events
                    _ = try await client.refresh()
                case "fetch -> error":
                    downloader.answer(Served.status(400))
                    _ = try? await client.refresh()
                case "activate", "activate (nothing fetched)": isActivated = client.activate()
                case "cold restart": client = start()
                case "start (no cache)", "start": break
                case "get k default d":
                    #expect(client.current.value("S", "k") ?? "d" == state["value"], "\(steps)")
                case "two observers":
                    downloader.answer(Served.ok(["S": ["k": "v1"]]))
                    _ = try await client.refresh()
                case "observer 1 activates":
                    let others = [client.events, client.events]
                    client.activate()
                    for other in others {
                        var iterator = other.makeAsyncIterator()
                        guard case .activated? = await iterator.next() else {
                            Issue.record("an observer was not told")
                            continue
                        }
                    }
                default: Issue.record("unknown step \(step)")
                }
            }
            if let expected = state["activateReturns"] { #expect(isActivated.map(JSONValue.boolean) == expected) }
            if case .array(let expected)? = state["observers"], steps.first != "two observers" {
                var iterator = events.makeAsyncIterator()
                while told.count < expected.count, let event = await iterator.next() {
                    switch event {
                    case .fetched(_, let change):
                        told.append(change.isEmpty ? "fetchCompleteNoChange" : "fetchComplete")
                    case .unchanged: told.append("fetchCompleteNoChange")
                    case .failed, .rejected: told.append("fetchFail")
                    case .activated: told.append("activationComplete")
                    default: break
                    }
                }
                #expect(told.map(JSONValue.string) == expected, "\(steps)")
            }
        }
        #expect(cases.count == 8)
    }
}
