import AllotFiles
import AllotGenerate
import AllotSigning
import ArgumentParser

struct KeysExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write public keys, as PEM or as Swift source for an app that pins them.",
        usage: "allot keys export [--key <file>] [--public <file> ...] [<options>]",
        discussion: """
            A file of a private key gives its public half. With --swift the source has the keys and their IDs as \
            constants: options.signatures = .required(try SecurityVerifier(pem: AllotPublicKeys.pem)). Export the next \
            key with the present one before you sign with it.

            EXAMPLES
              allot keys export --key signing.pem -o signing.pub.pem
              allot keys export --swift --public signing.pub.pem -o PublicKeys.swift
            """)

    @Option(help: .key) var key: String?
    @Option(name: .customLong("public"), help: .publicKeys) var publicKeys: [String] = []
    @Flag(help: "Write Swift source.") var swift = false
    @Option(help: .access) var access: SettingsSource.Access?
    @Option(name: .shortAndLong, help: .output, completion: .file()) var output = "-"

    func validate() throws { guard swift || access == nil else { throw ValidationError("--access requires --swift.") } }

    func run() throws {
        guard key != nil || !publicKeys.isEmpty
        else { throw UsageFailure("No key to export; name its file with --key or --public.") }
        var keys = try key.map { [try SigningKey(contentsOf: $0).publicKey] } ?? []
        if !publicKeys.isEmpty { keys += try PublicKeyVerifier(contentsOf: publicKeys).keys }
        // Each once, and in the order of the IDs, so that the same keys give the same bytes.
        keys = try PublicKeyVerifier(keys).keys
        let pairs = keys.map { (id: $0.keyID, pem: $0.pem) }
        let text = swift ? PublicKeySource(pairs, access: access ?? .internal).text : keys.map(\.pem).joined()
        try AtomicOutput.write(Array(text.utf8), to: output, option: "-o")
    }
}
