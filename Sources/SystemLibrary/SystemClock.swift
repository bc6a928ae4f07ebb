/// The clock of the machine.
package enum SystemClock {
    /// The time since 1970-01-01T00:00:00Z, leap seconds not counted.
    package static var now: (seconds: Int64, nanoseconds: Int32) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (Int64(time.tv_sec), Int32(time.tv_nsec))
    }
}
