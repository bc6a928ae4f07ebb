import AllotFiles
import AllotServer
import AllotServing
import HummingbirdCore
import Logging
import NIOSSL
import Synchronization

/// The current certificate and its key, for new connections; SIGHUP reads their files again. Files that cannot be used,
/// do not belong together or are not valid now are then logged and change nothing. `Sendable`.
package final class Certificates: TransportSecurity {
    private typealias Loaded = (context: NIOSSLContext, validity: CertificateValidity)

    private let files: (certificate: String, key: String)
    private let logger: Logger
    /// The signals that had come when the files were read.
    private let signals = HangUp.count
    private let loaded: Mutex<Loaded>

    /// Reads the files, which must belong together.
    package init(certificate: String, key: String, logger: Logger) throws {
        files = (certificate, key)
        self.logger = logger
        loaded = Mutex(try Self.load(files, logger, mayWait: true))
        warn()
    }

    var current: NIOSSLContext { loaded.withLock { $0.context } }
    package var validity: CertificateValidity { loaded.withLock { $0.validity } }

    package func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.warnDaily() }
            await HangUp.each(since: signals, load)
            group.cancelAll()
        }
    }

    package func builder(_ handlers: ConnectionHandlers) -> HTTPServerBuilder {
        HTTPServerBuilder { _ in SecureChannel(certificates: self, handlers: handlers) }
    }

    private func warnDaily() async { while (try? await Task.sleep(for: .seconds(86_400))) != nil { warn() } }

    /// Logs that the certificate has to be replaced, if it has.
    private func warn() {
        guard let warning = validity.warning() else { return }
        logger.warning(
            "the certificate has to be replaced: \(warning); write a new one into the file and send SIGHUP",
            metadata: ["file": "\(files.certificate)"])
    }

    private func load() {
        do {
            let next = try Self.load(files, logger, mayWait: false)
            if let refusal = next.validity.refusal(instead: validity) {
                throw StartFailure("\(files.certificate) cannot be used: \(refusal); replace it")
            }
            loaded.withLock { $0 = next }
            logger.info(
                "certificate loaded", metadata: ["file": "\(files.certificate)", "until": "\(next.validity.ends)"])
            warn()
        } catch {
            logger.error("\(error)")
            logger.error("certificate not replaced; the current one stays until the files are fixed")
        }
    }

    private static func load(
        _ files: (certificate: String, key: String), _ logger: Logger, mayWait: Bool
    ) throws -> Loaded {
        do {
            let certificate = try SecretFile(path: files.certificate, mayWait: mayWait)
            let key = try SecretFile(path: files.key, mayWait: mayWait)
            if let warning = key.warning("the key of the certificate") { logger.warning("\(warning)") }
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.text.utf8))
            guard let own = chain.first else { throw StartFailure("there is no certificate in the file") }
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
            let context = try NIOSSLContext(configuration: configuration)
            return (context, CertificateValidity(begins: Int64(own.notValidBefore), ends: Int64(own.notValidAfter)))
        } catch {
            throw StartFailure(
                "TLS cannot be set up with \(files.certificate) and \(files.key) (\(error)); check that both are PEM "
                    + "files and belong together")
        }
    }
}
