public import AllotConfiguration
import AllotSigning
public import Logging
public import ServiceLifecycle
import UnixSignals

/// Reads the signing key of a file, and again on SIGHUP; a file that holds no usable key then is logged and changes
/// nothing. At the start it may be a pipe; later it has to be a regular file, as nothing waits for a writer.
public struct SigningKeyReloader: Service {
    private let file: String
    private let logger: Logger

    /// Where the key in use is found.
    public let signer: ConfigurationSigner

    /// Reads a file, to be read again when the service runs.
    ///
    /// - Throws: ``SignatureError`` if the file cannot be read or holds no usable key.
    public init(file: String, logger: Logger) throws(SignatureError) {
        self.file = file
        self.logger = logger
        let key = try Self.read(file, logger, mayWait: true)
        signer = ConfigurationSigner(key)
        logger.info("signing key loaded", metadata: Self.metadata(file, key))
    }

    /// Listens to SIGHUP until shutdown.
    public func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() { load() }
    }

    /// Reads the file now.
    public func load() {
        do {
            let key = try Self.read(file, logger, mayWait: false)
            let isNew = signer.replace(with: key)
            logger.info(
                isNew ? "signing key replaced" : "signing key unchanged", metadata: Self.metadata(file, key))
        } catch {
            logger.error("\(error.message)")
            logger.error(
                "signing key not replaced; the key in use stays until the file is mended",
                metadata: Self.metadata(file, signer.current))
        }
    }

    private static func read(
        _ path: String, _ logger: Logger, mayWait: Bool
    ) throws(SignatureError) -> SigningKey {
        let file = try KeyFile(path: path, mayWait: mayWait)
        if file.isOpenToOthers {
            logger.warning("others may read the signing key; keep them out: chmod 600 \(path)")
        }
        return try SigningKey(pem: file.text, name: path)
    }

    private static func metadata(_ file: String, _ key: SigningKey) -> Logger.Metadata {
        ["file": "\(file)", "key": "\(key.keyID)", "algorithm": "\(key.algorithm.rawValue)"]
    }
}
