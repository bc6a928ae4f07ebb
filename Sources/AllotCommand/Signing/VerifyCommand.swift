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
        abstract: "Check whether one of the given keys signed a file or a token.",
        usage: """
            allot verify <file> --signature <signature> --public <file> ...
            allot verify --token <token> --public <file> ... [<options>]
            """,
        discussion: """
            Prints the ID of the key that signed, and the contents of a token. Exits with 1 and the reason if none of \
            the keys signed, if the bytes were changed, or if a token is for another app or device, or has expired. \
            The body of a response is signed before it is compressed.

            EXAMPLES
              allot verify body --signature @signature --public signing.pub.pem
              allot verify --token @token --public old.pem --public new.pem
            """)

    @Argument(help: "The signed file; - is standard input.")
    var file: String?

    @Option(help: ArgumentHelp("The detached signature, or @ and the file that contains it.", valueName: "signature"))
    var signature: String?

    @Option(help: ArgumentHelp("A token, or @ and the file that contains it.", valueName: "token"))
    var token: String?

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp("A file of public keys, PEM; any of them may have signed (repeatable).", valueName: "file"))
    var publicKeys: [String] = []

    @Option(help: "The app that the token must be for.")
    var app: String?

    @Option(help: ArgumentHelp("The device that the token must be for.", valueName: "id"))
    var device: String?

    @Option(
        help: ArgumentHelp(
            "The instant at which the token must be valid, such as 2026-11-21T12:00:00Z (default: now).",
            valueName: "instant"),
        transform: Instant.init(argument:))
    var at: Instant?

    func validate() throws {
        guard token == nil || (file == nil && signature == nil) else {
            throw ValidationError(
                "A token contains the signed bytes and the signature; leave out the file and --signature.")
        }
        guard token != nil || (app == nil && device == nil && at == nil) else {
            throw ValidationError("--app, --device and --at require --token.")
        }
    }

    func run() throws {
        guard !publicKeys.isEmpty else {
            throw UsageFailure("No key; name the trusted public keys with --public.")
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
        let verifier = try PublicKeyVerifier(contentsOf: publicKeys)
        let text = try SigningInput.text(signature)
        let bytes = try SigningInput.bytes(file)
        let key = try verifier.signer(of: try DetachedSignature(text), payload: bytes)
        try StandardOutput.write([Self.signed(by: key)])
    }

    private func verify(token text: String) throws {
        let verifier = try PublicKeyVerifier(contentsOf: publicKeys)
        let token = try SignedToken(try SigningInput.text(text))
        let key = try verifier.signer(of: token.signature, payload: token.payload)
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
        try StandardOutput.write([Self.signed(by: key), "valid until \(expires)", payload.json.prettyText])
    }

    private static func signed(by key: PublicKey) -> String {
        "signed by \(key.keyID) (\(key.algorithm.rawValue))"
    }
}
