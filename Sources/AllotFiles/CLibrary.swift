// The C library of the system: the one place that names it.
#if canImport(Darwin)
    @preconcurrency @_exported import Darwin
#elseif canImport(Glibc)
    @preconcurrency @_exported import Glibc
#elseif canImport(Musl)
    @preconcurrency @_exported import Musl
#elseif canImport(Android)
    @preconcurrency @_exported import Android
#else
    #error("Allot needs the C library of a POSIX system")
#endif

/// The differences between C libraries: constants and functions that they name or type differently. A closed list.
///
/// Child processes do not inherit the sockets, where the system can open them so at once. With `sendWithoutSignal`,
/// `send` to a peer that has gone is an error and never a signal; it is 0 where that is an option of the socket.
package enum SystemDifference {
    #if canImport(Darwin)
        package static var streamSocket: Int32 { SOCK_STREAM }
        package static var datagramSocket: Int32 { SOCK_DGRAM }
        package static var sendWithoutSignal: Int32 { 0 }
    #elseif canImport(Glibc)
        package static var streamSocket: Int32 { Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) }
        package static var datagramSocket: Int32 { Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) }
        package static var sendWithoutSignal: Int32 { Int32(MSG_NOSIGNAL) }
    #else
        package static var streamSocket: Int32 { SOCK_STREAM | SOCK_CLOEXEC }
        package static var datagramSocket: Int32 { SOCK_DGRAM | SOCK_CLOEXEC }
        package static var sendWithoutSignal: Int32 { Int32(MSG_NOSIGNAL) }
    #endif

    /// Opens two connected sockets, which child processes do not inherit. Writing to one whose other end is closed is
    /// an error. Returns `nil`, and `errno` says why, if the system does not open them.
    package static func connectedSockets() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, streamSocket, 0, &ends) == 0 else { return nil }
        #if canImport(Darwin)
            for end in ends {
                var yes: Int32 = 1
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
            }
        #endif
        return (ends[0], ends[1])
    }

    #if canImport(Glibc)
        package typealias Resource = __rlimit_resource_t
        package static var openFiles: Resource { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
        package static var fileSize: Resource { __rlimit_resource_t(RLIMIT_FSIZE.rawValue) }
    #else
        package typealias Resource = Int32
        package static var openFiles: Resource { RLIMIT_NOFILE }
        package static var fileSize: Resource { RLIMIT_FSIZE }
    #endif

    // The values that `posix_spawn_file_actions_init` and `posix_spawnattr_init` take, and the variables of this
    // process, `NAME=value` each, up to a null pointer; they must not be changed meanwhile.
    #if canImport(Darwin)
        package typealias Spawning = (actions: posix_spawn_file_actions_t?, attributes: posix_spawnattr_t?)
        package static func forSpawning() -> Spawning { (nil, nil) }
        package static func variables() -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
            _NSGetEnviron().pointee
        }
    #else
        package typealias Spawning = (actions: posix_spawn_file_actions_t, attributes: posix_spawnattr_t)
        package static func forSpawning() -> Spawning { (posix_spawn_file_actions_t(), posix_spawnattr_t()) }
        package static func variables() -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? { environ }
    #endif
}

// When the content of a file changed last, and when it or what the system notes about it did.
extension stat {
    #if canImport(Darwin)
        package var modified: timespec { st_mtimespec }
        package var changed: timespec { st_ctimespec }
    #else
        package var modified: timespec { st_mtim }
        package var changed: timespec { st_ctim }
    #endif
}

package enum SystemClock {
    /// The time since 1970-01-01T00:00:00Z, leap seconds not counted.
    package static var now: (seconds: Int64, nanoseconds: Int32) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (Int64(time.tv_sec), Int32(time.tv_nsec))
    }

    /// The microseconds since an arbitrary start, by a clock that is never set (`CLOCK_MONOTONIC`).
    package static var monotonicMicroseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
