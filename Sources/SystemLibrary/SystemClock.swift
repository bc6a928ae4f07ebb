/// The clock of the machine.
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
