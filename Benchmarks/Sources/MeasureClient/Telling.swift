import AllotClient

/// Times from the beginning of a refresh until the last of many listeners has received its change.
enum Telling {
    /// The median in nanoseconds.
    static func median(listeners: Int) async throws -> Double {
        let server = ChangingServer((0..<2).map { Served.body(bytes: 1000, version: $0) })
        let client = ConfigurationClient(downloader: server, store: MemoryStore(), options: .development)
        let (heard, hearing) = AsyncStream.makeStream(of: Void.self)
        var times: [Double] = []
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<listeners {
                group.addTask { for await _ in client.updates(of: "Section0", "setting-1") { hearing.yield() } }
            }
            var iterator = heard.makeAsyncIterator()
            for _ in 0..<listeners { await iterator.next() }
            for _ in 0..<31 {
                let start = ContinuousClock.now
                _ = try? await client.refresh()
                for _ in 0..<listeners { await iterator.next() }
                times.append((ContinuousClock.now - start) / .nanoseconds(1))
            }
            group.cancelAll()
        }
        return times.sorted()[times.count / 2]
    }
}
