/// The limits of what one request may send. `Sendable`.
public struct RequestLimits: Sendable {
    /// The most bytes of a body with attributes.
    public var bodyBytes = 256 * 1024
    /// The most bytes of a batch of exposures.
    public var exposureBodyBytes = 4 * 1024 * 1024
    /// The most exposures of a batch.
    public var exposureCount = 10_000
    /// The most attributes of a subject.
    public var attributeCount = 256
    /// How far ahead of the server's clock an exposure may be, in seconds.
    package var clockTolerance: Int64 = 600
    /// The greatest age of an exposure, in whole seconds. An older one is stored with the server's time and marked.
    public var oldestExposure = Duration.seconds(30 * 86_400)
    /// The default limits.
    public init() {}
}
