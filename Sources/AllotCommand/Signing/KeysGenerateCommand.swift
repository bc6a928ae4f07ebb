import AllotBatch
import AllotConfiguration
import AllotFiles
import AllotSigning
import ArgumentParser
import Glibc

/// `allot keys generate`
struct KeysGenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make a new key to sign with.",
        discussion: """
            Writes the private key (PKCS #8, PEM) for its owner alone, and the public key (SubjectPublicKeyInfo, PEM), which \
            clients pin. Prints the key's ID, its thumbprint after RFC 7638. Never replaces a file without --force.

            EXAMPLES
              allot keys generate --key signing.pem --public signing.pub.pem
              allot keys generate --algorithm RS256 --key signing.pem
            """)

    @Option(help: "How the key signs: ES256 (ECDSA on P-256) or RS256 (RSA, 2048 bits).")
    var algorithm = SignatureAlgorithm.es256

    @Option(help: ArgumentHelp("Where the private key goes.", valueName: "file"))
    var key: String

    @Option(name: .customLong("public"), help: ArgumentHelp("Where the public key goes.", valueName: "file"))
    var publicKey: String?

    @Flag(help: "Replace files that are there.")
    var force = false

    func validate() throws {
        guard key != "-", !Self.isStream(key) else {
            throw ValidationError("A private key goes to a file; name one with --key.")
        }
        guard publicKey != key else { throw ValidationError("Both keys would go to one file; name two.") }
    }

    /// Whether a path stands for a descriptor, a pipe or a terminal, where others may read a key.
    private static func isStream(_ path: String) -> Bool {
        if ["/dev/std", "/dev/fd/", "/proc/"].contains(where: path.hasPrefix) { return true }
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    func run() throws {
        do {
            let identity = FileIdentity(output: key)
            let other = publicKey.flatMap { FileIdentity(output: $0) }
            guard identity == nil || identity != other else {
                throw CommandFailure("both keys would go to the file \(key); name two")
            }
            let made = try SigningKey.generate(algorithm)
            // All is staged before anything has its name.
            let target = try AtomicOutput(
                path: key, option: "--key", rules: OutputRules(isPrivate: true, mayReplace: force))
            let publicTarget = try publicKey.map {
                try AtomicOutput(path: $0, option: "--public", rules: OutputRules(mayReplace: force))
            }
            try target.write(Array(made.privateKeyPEM.utf8))
            try publicTarget?.write(Array(made.publicKeyPEM.utf8))
            try target.commit()
            try publicTarget?.commit()
            try StandardOutput.write([made.keyID])
        } catch let error as FileError {
            throw CommandFailure(error.message)
        } catch let error as SignatureError {
            throw CommandFailure(error.message)
        }
    }
}

extension SignatureAlgorithm: ExpressibleByArgument {
    /// In any case.
    public init?(argument: String) {
        self.init(rawValue: argument.uppercased())
    }
}
