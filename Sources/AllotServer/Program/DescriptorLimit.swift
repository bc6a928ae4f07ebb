import AllotFiles

/// The limit of files and connections that a process may have open.
enum DescriptorLimit {
    /// The descriptors of the server itself: of the store, the definitions, the log and the system libraries.
    private static let own = 64

    /// Raises the limit as far as the system lets a process do that. Returns the most connections that fit then, next
    /// to those for probes.
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(SystemDifference.openFiles, &limit) == 0 else { return .max }
        let former = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if setrlimit(SystemDifference.openFiles, &limit) != 0 { limit.rlim_cur = former }
        return Int(exactly: limit.rlim_cur).map { max($0 - own - ConnectionCounter.reserve, 1) } ?? .max
    }
}
