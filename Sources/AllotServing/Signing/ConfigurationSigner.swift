public import AllotConfiguration
import AllotFiles
public import AllotSigning
public import Logging
public import ServiceLifecycle
import Synchronization

/// The key that signs configurations, which is replaced whole. Clients pin the next one before that. `Sendable`.
public final class ConfigurationSigner: Sendable {
    private let key: Mutex<SigningKey>
    /// Creates a signer with its first key.
    public init(_ key: SigningKey) { self.key = Mutex(key) }
    /// The current key. Take it once for each answer.
    package var current: SigningKey { key.withLock { $0 } }

    /// Replaces the key. Signatures of the former key are not sent any more. Returns whether it is another key.
    package func replace(with next: SigningKey) -> Bool {
        key.withLock { key in
            let isNew = key.publicKey != next.publicKey
            key = next
            return isNew
        }
    }
}

/// Reads the signing key of a file, and again on SIGHUP. A file without a usable key is then logged and changes
/// nothing. `Sendable`.
///
/// At the start the file may be a pipe; later it has to be a regular file, because nothing waits for a writer.
public struct SigningKeyReloader: Service {
    private let file: String
    private let logger: Logger
    /// The signals that had come when the file was read.
    private let signals = HangUp.count
    /// The signer with the current key.
    public let signer: ConfigurationSigner

    /// Reads a file, which is read again on SIGHUP while the service runs.
    ///
    /// - Throws: `SignatureError` if the file cannot be read or does not contain a usable key.
    public init(file: String, logger: Logger) throws(SignatureError) {
        (self.file, self.logger) = (file, logger)
        signer = ConfigurationSigner(try Self.read(file, logger, mayWait: true))
        logger.info("signing key loaded", metadata: metadata)
    }

    /// Reads the file again on each SIGHUP, until shutdown.
    public func run() async throws { await HangUp.each(since: signals, load) }

    /// Reads the file now.
    public func load() {
        do throws(SignatureError) {
            let isNew = signer.replace(with: try Self.read(file, logger, mayWait: false))
            logger.info(isNew ? "signing key replaced" : "signing key unchanged", metadata: metadata)
        } catch {
            logger.error("\(error.message)")
            logger.error("signing key not replaced; the current key stays until the file is fixed", metadata: metadata)
        }
    }

    private static func read(_ path: String, _ logger: Logger, mayWait: Bool) throws(SignatureError) -> SigningKey {
        let file = try SecretFile(keys: path, mayWait: mayWait)
        if let warning = file.warning("the signing key") { logger.warning("\(warning)") }
        return try SigningKey(pem: file.text, name: path)
    }

    private var metadata: Logger.Metadata {
        let key = signer.current
        return ["file": "\(file)", "key": "\(key.keyID)", "algorithm": "\(key.algorithm.rawValue)"]
    }
}
