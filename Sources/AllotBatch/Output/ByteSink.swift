/// A place to write bytes, one piece behind the other.
public protocol ByteSink: Sendable {
    /// Writes all the bytes, or throws.
    func write(_ bytes: [UInt8]) throws
}
