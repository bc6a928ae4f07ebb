import AllotFiles

/// The limit of files and connections that a process may have open.
enum DescriptorLimit {
    /// The descriptors of the server itself: of the store, the definitions, the log and the system libraries.
    private static let own = 64

    /// Raises the limit as far as the system lets a process do that.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(SystemDifference.openFiles, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(SystemDifference.openFiles, &limit)
    }

    /// The most connections that fit, next to those for probes.
    static var connections: Int {
        var limit = rlimit()
        guard getrlimit(SystemDifference.openFiles, &limit) == 0, let count = Int(exactly: limit.rlim_cur) else {
            return .max
        }
        return max(count - own - ConnectionCounter.reserve, 1)
    }
}
