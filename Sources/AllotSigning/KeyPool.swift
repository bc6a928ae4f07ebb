import Synchronization

/// One key for many threads.
///
/// libcrypto takes a millisecond to read a key, and 0.03 ms (P-256) or 0.5 ms (RSA) to sign with it: therefore keys are
/// read once. With a single lock all threads would wait for an RSA signature: therefore there is one copy for each
/// thread that ever signed at the same time as others.
final class KeyPool: Sendable {
    /// A key that one thread at a time uses.
    private final class Place: Sendable {
        let key: Mutex<KeyHandle>

        init(_ key: consuming sending KeyHandle) {
            self.key = Mutex(key)
        }
    }

    private let idle = Mutex<[Place]>([])
    private let read: @Sendable () -> sending KeyHandle?

    /// - Parameter read: reads the key; `nil` if that fails.
    init(_ read: @escaping @Sendable () -> sending KeyHandle?) {
        self.read = read
    }

    /// Lends the key; `nil` if it cannot be read.
    func withKey<Result: Sendable>(_ body: (borrowing KeyHandle) -> Result?) -> Result? {
        guard let place = idle.withLock({ $0.popLast() }) ?? make() else { return nil }
        defer { idle.withLock { $0.append(place) } }
        return place.key.withLock { body($0) }
    }

    private func make() -> Place? {
        guard let key = read() else { return nil }
        return Place(key)
    }
}
