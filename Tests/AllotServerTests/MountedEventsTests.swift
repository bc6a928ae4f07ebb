import AllotServer
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

/// Streams of events on the connections of an application that mounts the routes.
@Suite(.mayHang) struct MountedEventsTests {
    private static let request = TestClient.Request("/events", method: .get, authority: "localhost")

    /// Waits until there is a number of streams. No other test in memory has any.
    private func waitForStreams(_ count: Int, _ client: any TestClientProtocol) async throws {
        while try await client.metric("allot_event_streams") != count { await Task.yield() }
    }

    /// Sends the request for events on a connection of its own.
    private func subscribe(_ port: Int) -> (TestClient, answer: Task<TestClient.Response, any Error>) {
        let client = TestClient(host: "localhost", port: port, configuration: .init(timeout: .seconds(120)))
        client.connect()
        return (client, Task { try await client.execute(Self.request) })
    }

    @Test("A stream ends at once when its client leaves, and as usual when the application shuts down")
    func ends() async throws {
        let router = Router()
        router.addAllot(try TestedRoutes().allot)
        let (last, answer) = try await Application(router: router).test(.live) { client async throws in
            let port = try #require(client.port)
            let (leaving, broken) = subscribe(port)
            try await waitForStreams(1, client)
            try await leaving.shutdown()
            try await waitForStreams(0, client)
            _ = await broken.result
            let last = subscribe(port)
            try await waitForStreams(1, client)
            return last
        }
        let response = try await answer.value
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/event-stream")
        #expect(response.headers[.xContentTypeOptions] == "nosniff")
        #expect(response.body.map { String(buffer: $0) }?.contains("event: message") == true)
        try await last.shutdown()
    }
}
