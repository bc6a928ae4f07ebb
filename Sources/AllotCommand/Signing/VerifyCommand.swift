import Allot
import AllotConfiguration
import AllotDefinitions
import AllotFiles
import AllotSigning
import ArgumentParser

/// `allot verify`
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Tell who signed a file or a token, if one of the keys did.",
        usage: """
            allot verify <file> --signature <signature> --public <file> ...
            allot verify --token <token> --public <file> ... [<options>]
            """,
        discussion: """
            Prints the ID of the key that signed, and what a token says. Exits with 1 and the reason if none of the keys did, \
            if the bytes were changed, and if a token is for another app or device, or expired. The body of a response is \
            signed as it is before it is compressed.

            EXAMPLES
              allot verify body --signature @signature --public signing.pub.pem
              allot verify --token @token --public old.pem --public new.pem
            """)

    @Argument(help: "What is signed; - is standard input.")
    var file: String?

    @Option(help: ArgumentHelp("The detached signature, or the file behind @ that holds it.", valueName: "signature"))
    var signature: String?

    @Option(help: ArgumentHelp("A token, or the file behind @ that holds it.", valueName: "token"))
    var token: String?

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp("Public keys, PEM; any of them may have signed.", valueName: "file"))
    var publicKeys: [String] = []

    @Option(help: "The app that the token has to be for.")
    var app: String?

    @Option(help: ArgumentHelp("The device that the token has to be for.", valueName: "id"))
    var device: String?

    @Option(
        help: ArgumentHelp(
            "The instant at which the token has to be in force, such as 2026-11-21T12:00:00Z (default: now).",
            valueName: "instant"),
        transform: Instant.init(argument:))
    var at: Instant?

    func validate() throws {
        guard token == nil || (file == nil && signature == nil) else {
            throw ValidationError("A token holds what is signed and the signature; leave the file and --signature out.")
        }
        guard token != nil || (app == nil && device == nil && at == nil) else {
            throw ValidationError("--app, --device and --at go with --token.")
        }
    }

    func run() throws {
        guard !publicKeys.isEmpty else {
            throw UsageFailure("No key; give the public keys that are trusted with --public.")
        }
        if let token {
            try verify(token: token)
        } else {
            guard let file, let signature else {
                throw UsageFailure("Nothing to verify; give a file and --signature, or --token.")
            }
            try verify(file: file, signature: signature)
        }
    }

    private func verify(file: String, signature: String) throws {
        let verifier = try SigningInput.verifier(publicKeys)
        let text = try SigningInput.text(signature)
        let bytes = try SigningInput.bytes(file)
        let key = try SigningInput.refusing { () throws(SignatureError) in
            try verifier.signer(of: try DetachedSignature(text), payload: bytes)
        }
        try StandardOutput.write([Self.signed(by: key)])
    }

    private func verify(token: String) throws {
        let verifier = try SigningInput.verifier(publicKeys)
        let text = try SigningInput.text(token)
        let (token, key) = try SigningInput.refusing { () throws(SignatureError) in
            let token = try SignedToken(text)
            return (token, try verifier.signer(of: token.signature, payload: token.payload))
        }
        let payload: DevicePayload
        do {
            payload = try DevicePayload(verifying: token, by: verifier)
            try payload.check(app: app, device: device, at: (at ?? .now).seconds)
        } catch let error as DevicePayloadError {
            throw CommandFailure(listing: error.problems.map { "the token: \($0.message)" })
        } catch let error as JSONParsingError {
            throw CommandFailure("the token's payload is not JSON: \(error)")
        }
        let expires = Instant(seconds: payload.expires)
        try StandardOutput.write([
            Self.signed(by: key), "in force until \(expires)", payload.json.prettyText,
        ])
    }

    private static func signed(by key: PublicKey) -> String {
        "signed by \(key.keyID) (\(key.algorithm.rawValue))"
    }
}
