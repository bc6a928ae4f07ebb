import AllotClient

/// Times a configuration's way from the server's bytes into force, in memory.
enum Applying {
    /// The median in nanoseconds.
    static func median(bytes: Int) async throws -> Double {
        let server = ChangingServer((0..<2).map { Served.body(bytes: bytes, version: $0) })
        let client = ConfigurationClient(downloader: server, store: MemoryStore(), options: .development)
        var times: [Double] = []
        for _ in 0..<31 {
            let start = ContinuousClock.now
            _ = try await client.refresh()
            times.append((ContinuousClock.now - start) / .nanoseconds(1))
        }
        return times.sorted()[times.count / 2]
    }
}
