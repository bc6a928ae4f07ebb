/// The hash of flagd's `fractional`, which is not the same in all of its implementations. `Sendable`.
public enum FlagdHash: String, Sendable, CaseIterable {
    /// Plain text: the daemon, whatever the app's language, and the SDKs for Java, JavaScript and .NET that evaluate in
    /// process.
    case daemon
    /// CBOR: the provider for Python that evaluates in process, with openfeature-flagd-core 2.0.0.
    case cbor
}
