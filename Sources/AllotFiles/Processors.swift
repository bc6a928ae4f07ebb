package enum Processors {
    /// How many threads a user may ask for, whatever the machine has.
    package static let threadCounts = 1...1024

    /// The number of processors that this process may run on, which a container can confine.
    package static var availableCount: Int {
        let online = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)
        let status = (try? FileDescriptor(opening: "/proc/self/status", O_RDONLY).head(16_384)) ?? []
        return min(online, allowedCount(inStatus: String(decoding: status, as: UTF8.self)) ?? online)
    }

    /// The number of processors in the line `Cpus_allowed:` of `/proc/self/status`, a mask in hexadecimal digits.
    /// (Swift does not import `sched_getaffinity`.)
    static func allowedCount(inStatus status: String) -> Int? {
        let label = "Cpus_allowed:"
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(label) }) else { return nil }
        let count = line.dropFirst(label.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
        return count > 0 ? count : nil
    }
}
