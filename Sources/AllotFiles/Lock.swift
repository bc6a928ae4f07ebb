#if canImport(Darwin)
    import os

    /// A value that one thread at a time uses, for systems before iOS 18 and macOS 15, which `Mutex` needs.
    package struct Lock<Value: ~Copyable & Sendable>: ~Copyable, Sendable {
        @usableFromInline let lock = OSAllocatedUnfairLock()
        /// The place of the value; a number, because pointers are not `Sendable`.
        @usableFromInline let address: UInt

        @inlinable var value: UnsafeMutablePointer<Value> {
            UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
        }

        @inlinable package init(_ initial: consuming sending Value) {
            let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            value.initialize(to: initial)
            address = UInt(bitPattern: value)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
        }

        /// Waits until no other thread uses the value, and lets `body` use it.
        @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            lock.lock()
            defer { lock.unlock() }
            return try body(&value.pointee)
        }
    }
#else
    import Synchronization

    /// A value that one thread at a time uses.
    package typealias Lock = Mutex
#endif
