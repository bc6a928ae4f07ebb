import AllotFiles

/// A destination for bytes, which are written piece after piece.
public protocol ByteSink: Sendable {
    /// Writes all the bytes, or throws.
    func write(_ bytes: [UInt8]) throws
}

extension AtomicOutput: ByteSink {}
