import AllotConfiguration
import AllotFiles
import AllotSigning
import ArgumentParser

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Create keys for signing configurations, and export the public ones.",
        subcommands: [KeysGenerateCommand.self, KeysExportCommand.self])
}

struct KeysGenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Create a key for signing.",
        usage: "allot keys generate --key <file> [--public <file>] [<options>]",
        discussion: """
            Writes the private key (PKCS #8, PEM), which only its owner may read, and the public key \
            (SubjectPublicKeyInfo, PEM), which clients pin. Prints the key's ID, its thumbprint according to RFC 7638. \
            Never replaces a file without --force.

            EXAMPLES
              allot keys generate --key signing.pem --public signing.pub.pem
              allot keys generate --algorithm RS256 --key signing.pem
            """)

    @Option(help: "The algorithm of the key: ES256 (ECDSA on P-256) or RS256 (RSA, 2048 bits).")
    var algorithm = SignatureAlgorithm.es256
    @Option(help: .key) var key: String
    @Option(name: .customLong("public"), help: .publicKeys) var publicKey: String?
    @Flag(help: "Replace existing files.") var force = false

    func validate() throws {
        guard !FileIdentity.isStream(key)
        else { throw ValidationError("A private key must be written to a file; name one with --key.") }
        guard publicKey != key else { throw ValidationError("Both keys would be written to one file; name two files.") }
    }

    func run() throws {
        if let identity = FileIdentity(output: key), identity == publicKey.flatMap({ FileIdentity(output: $0) }) {
            throw CommandFailure("both keys would be written to the file \(key); name two files")
        }
        let made = try SigningKey.generate(algorithm)
        do {
            // Both files are staged before either gets its name.
            let target = try AtomicOutput(
                path: key, option: "--key", rules: OutputRules(isPrivate: true, mayReplace: force, isDurable: true))
            let publicTarget = try publicKey.map {
                try AtomicOutput(path: $0, option: "--public", rules: OutputRules(mayReplace: force, isDurable: true))
            }
            try target.write(Array(made.privateKeyPEM.utf8))
            try publicTarget?.write(Array(made.publicKeyPEM.utf8))
            try target.commit()
            try publicTarget?.commit()
        } catch let error as FileError where error.systemErrorNumber == EEXIST {
            throw CommandFailure("\(error) with --force")
        }
        try StandardOutput.write([made.keyID])
    }
}

extension SignatureAlgorithm: ExpressibleByArgument {
    /// Reads the name of an algorithm, ignoring case.
    public init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}
