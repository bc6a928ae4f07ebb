import Glibc

/// Threads that do one thing together.
enum WorkerThreads {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Calls `body` on `count` threads, the caller's among them, and returns when all calls have. Where the system
    /// grants fewer threads, fewer calls are made, at least one.
    static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        var threads: [pthread_t] = []
        for _ in 1..<max(count, 1) {
            let context = Unmanaged.passRetained(Body(body))
            var thread = pthread_t()
            let result = pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                }, context.toOpaque())
            guard result == 0 else {
                context.release()
                break
            }
            threads.append(thread)
        }
        body()
        for thread in threads { pthread_join(thread, nil) }
    }
}
