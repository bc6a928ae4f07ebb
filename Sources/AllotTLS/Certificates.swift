import AllotFiles
import AllotServer
import AllotServing
import HummingbirdCore
import Logging
import NIOSSL
import Synchronization

/// The current certificate and its key, for new connections; SIGHUP reads their files again. Files that cannot be used,
/// or do not belong together, are then logged and change nothing. `Sendable`.
package final class Certificates: TransportSecurity {
    private let files: (certificate: String, key: String)
    private let logger: Logger
    /// The signals that had come when the files were read.
    private let signals = HangUp.count
    private let context: Mutex<NIOSSLContext>

    /// Reads the files.
    ///
    /// - Throws: `StartFailure` if they cannot be used, or do not belong together.
    package init(certificate: String, key: String, logger: Logger) throws {
        files = (certificate, key)
        self.logger = logger
        context = Mutex(try Self.context(files, logger, mayWait: true))
    }

    /// What new connections use.
    var current: NIOSSLContext {
        context.withLock { $0 }
    }

    package func run() async throws {
        await HangUp.each(since: signals, load)
    }

    package func builder(_ channel: HTTP1Channel.Configuration) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            SecureChannel(certificates: self, http1: HTTP1Channel(responder: responder, configuration: channel))
        }
    }

    /// Reads the files now.
    private func load() {
        do {
            let next = try Self.context(files, logger, mayWait: false)
            context.withLock { $0 = next }
            logger.info("certificate loaded", metadata: ["file": "\(files.certificate)"])
        } catch {
            logger.error("\(error)")
            logger.error("certificate not replaced; the current one stays until the files are fixed")
        }
    }

    private static func context(
        _ files: (certificate: String, key: String), _ logger: Logger, mayWait: Bool
    ) throws -> NIOSSLContext {
        do {
            let certificate = try SecretFile(path: files.certificate, mayWait: mayWait)
            let key = try SecretFile(path: files.key, mayWait: mayWait)
            if let warning = key.warning("the key of the certificate") { logger.warning("\(warning)") }
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.text.utf8))
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.text.utf8), format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            // For TLS 1.2: with forward secrecy, and among those that HTTP/2 permits (RFC 9113, section 9.2.2).
            configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
            configuration.applicationProtocols = ["h2", "http/1.1"]
            // Most clients never say that they have noticed the end of a connection.
            configuration.shutdownTimeout = .seconds(1)
            // Fails here if certificate and key do not belong together.
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw StartFailure(
                "TLS cannot be set up with \(files.certificate) and \(files.key) (\(error)); check that both are PEM "
                    + "files and belong together")
        }
    }
}
