#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Calls of the operating system, made again for as long as a signal interrupts them.
enum SystemCall {
    /// The result of a call that is less than 0 for a failure.
    static func repeated<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Reads from where the descriptor stands.
    static func read(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        repeated {
            #if canImport(Darwin)
                Darwin.read(descriptor, start, count)
            #elseif canImport(Glibc)
                Glibc.read(descriptor, start, count)
            #elseif canImport(Musl)
                Musl.read(descriptor, start, count)
            #elseif canImport(Android)
                Android.read(descriptor, start, count)
            #endif
        }
    }

    /// Writes to where the descriptor stands.
    static func write(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
        repeated {
            #if canImport(Darwin)
                Darwin.write(descriptor, start, count)
            #elseif canImport(Glibc)
                Glibc.write(descriptor, start, count)
            #elseif canImport(Musl)
                Musl.write(descriptor, start, count)
            #elseif canImport(Android)
                Android.write(descriptor, start, count)
            #endif
        }
    }
}
