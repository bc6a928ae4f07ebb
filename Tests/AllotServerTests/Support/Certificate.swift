import Foundation

/// A certificate for "localhost" that signs itself, and its key, made by the command `openssl`.
struct Certificate {
    struct Failure: Error {
        let message: String
    }

    let certificate: String
    let key: String

    init(in folder: ServerFolder, name: String, isRSA: Bool = false, days: Int = 90) throws {
        certificate = folder.path("\(name)-certificate.pem")
        key = folder.path("\(name)-key.pem")
        let arguments = [
            "openssl", "req", "-x509", "-newkey", isRSA ? "rsa" : "ec", "-pkeyopt",
            isRSA ? "rsa_keygen_bits:2048" : "ec_paramgen_curve:prime256v1", "-nodes", "-days", "\(days)",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
        ]
        let outcome = try ServerProgram.run(URL(filePath: "/usr/bin/env"), arguments)
        guard outcome.status == 0 else { throw Failure(message: outcome.errors) }
    }
}
