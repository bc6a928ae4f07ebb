import AllotServer
import HummingbirdCore
import HummingbirdTLS
import NIOSSL

/// Connections with TLS.
enum TransportSecurity {
    /// Puts TLS around connections.
    static func builder(
        _ base: HTTPServerBuilder, certificate: String, key: String
    ) throws -> HTTPServerBuilder {
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
            configuration.minimumTLSVersion = .tlsv12
            // Fails here, before anything runs, if certificate and key do not belong together.
            _ = try NIOSSLContext(configuration: configuration)
            return try .tls(base, configuration: .init(tlsConfiguration: configuration))
        } catch {
            throw StartFailure(
                "TLS cannot be set up with \(certificate) and \(key) (\(error)); check that both are PEM files and "
                    + "belong together")
        }
    }
}
