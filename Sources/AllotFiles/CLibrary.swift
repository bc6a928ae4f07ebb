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
package enum SystemDifference {
    /// The kind of a stream socket. Child processes do not inherit it, where the system can open it so at once.
    package static var streamSocket: Int32 {
        #if canImport(Darwin)
            SOCK_STREAM
        #elseif canImport(Glibc)
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
            SOCK_STREAM | SOCK_CLOEXEC
        #endif
    }

    /// The kind of a datagram socket. Child processes do not inherit it, where the system can open it so at once.
    package static var datagramSocket: Int32 {
        #if canImport(Darwin)
            SOCK_DGRAM
        #elseif canImport(Glibc)
            Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
            SOCK_DGRAM | SOCK_CLOEXEC
        #endif
    }

    /// The flag with which `send` to a peer that has gone is an error and never a signal; 0 where that is an option of
    /// the socket.
    package static var sendWithoutSignal: Int32 {
        #if canImport(Darwin)
            0
        #else
            Int32(MSG_NOSIGNAL)
        #endif
    }

    /// Opens two sockets that are connected with each other. Child processes do not inherit them, and writing to one
    /// whose other end is closed is an error. Returns `nil`, and `errno` says why, if the system does not open them.
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

    #if canImport(Darwin)
        /// The actions of `posix_spawn` in the child, before the program.
        package typealias SpawnActions = posix_spawn_file_actions_t?
        /// The way in which `posix_spawn` starts the child.
        package typealias SpawnAttributes = posix_spawnattr_t?
    #else
        /// The actions of `posix_spawn` in the child, before the program.
        package typealias SpawnActions = posix_spawn_file_actions_t
        /// The way in which `posix_spawn` starts the child.
        package typealias SpawnAttributes = posix_spawnattr_t
    #endif

    /// The values that `posix_spawn_file_actions_init` and `posix_spawnattr_init` take.
    package static func forSpawning() -> (actions: SpawnActions, attributes: SpawnAttributes) {
        #if canImport(Darwin)
            (nil, nil)
        #else
            (posix_spawn_file_actions_t(), posix_spawnattr_t())
        #endif
    }

    /// The variables of this process, `NAME=value` each, up to a null pointer; they must not be changed meanwhile.
    package static func variables() -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        #if canImport(Darwin)
            _NSGetEnviron().pointee
        #else
            environ
        #endif
    }
}

extension stat {
    /// When the content changed last.
    package var modified: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }

    /// When the content or what the system notes about it changed last.
    package var changed: timespec {
        #if canImport(Darwin)
            st_ctimespec
        #else
            st_ctim
        #endif
    }
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
