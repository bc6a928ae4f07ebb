public import AllotSigning
import Synchronization

/// The key that configurations are signed with, replaced whole. Clients pin the next key before it comes into use.
public final class ConfigurationSigner: Sendable {
    private let key: Mutex<SigningKey>

    /// Begins with a key.
    public init(_ key: SigningKey) {
        self.key = Mutex(key)
    }

    /// The key in use. Take it once for each answer.
    public var current: SigningKey {
        key.withLock { $0 }
    }

    /// Brings a key into use; signatures of the one before are not sent any more.
    ///
    /// - Returns: whether it is another key.
    @discardableResult
    public func replace(with next: SigningKey) -> Bool {
        key.withLock { key in
            let isNew = key.publicKey != next.publicKey
            key = next
            return isNew
        }
    }
}
