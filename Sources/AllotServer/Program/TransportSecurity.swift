import HummingbirdCore
import Logging
import ServiceLifecycle

/// Puts TLS around connections; as a service it reads the certificate again on SIGHUP. `Sendable`.
///
/// What does, `AllotTLS`, is a module of its own, so that applications that mount the routes need not build TLS.
package protocol TransportSecurity: Service {
    /// Reads the files of a certificate chain and its key.
    init(certificate: String, key: String, logger: Logger) throws

    /// The time for which the current certificate is valid.
    var validity: CertificateValidity { get }

    /// Serves connections with these handlers, in TLS.
    func builder(_ handlers: ConnectionHandlers) -> HTTPServerBuilder
}
