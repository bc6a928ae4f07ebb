import AllotFiles
import Glibc

/// Threads that run one function together.
enum WorkerThreads {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Calls `body` on `count` threads, including the caller's, and returns when all calls have returned. If the system
    /// grants fewer threads, there are fewer calls, but at least one.
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

/// The processors of the machine.
enum Processors {
    /// The number of processors that this process may run on: those that are online, or fewer if the process is
    /// confined to some of them, as in a container.
    static var availableCount: Int {
        let online = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
        return min(online, allowedCount(inStatus: status()) ?? online)
    }

    /// The number of processors in the line `Cpus_allowed:` of `/proc/self/status`, a mask in hexadecimal digits.
    ///
    /// (`sched_getaffinity` reports the same, but Swift does not import this GNU function.)
    static func allowedCount(inStatus status: String) -> Int? {
        let label = "Cpus_allowed:"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(label) }) else { return nil }
        let count = line.dropFirst(label.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
        return count > 0 ? count : nil
    }

    private static func status() -> String {
        let file = FileDescriptor(open("/proc/self/status", O_RDONLY | O_CLOEXEC))
        var bytes = [UInt8](repeating: 0, count: 16384)
        let count = bytes.withUnsafeMutableBytes { read(file.number, $0.baseAddress, $0.count) }
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
