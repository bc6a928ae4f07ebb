import AllotConfiguration
import AllotCore
import AllotFiles
import AllotSigning
import ArgumentParser

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check whether one of the given keys signed a file or a token.",
        usage: """
            allot verify <file> --signature <signature> --public <file> ...
            allot verify --token <token> --public <file> ... [<options>]
            """,
        discussion: """
            Prints the ID of the key that signed, and the contents of a token. Exits with 2 and the reason if none of \
            the keys signed, if the bytes were changed, or if a token is for another app or device than --app and \
            --device, or is not valid at --at. Any of the keys may have signed. The body of a response is signed \
            before it is compressed.

            EXAMPLES
              allot verify body --signature @signature --public signing.pub.pem
              allot verify --token @token --public old.pem --public new.pem
            """)

    @Argument(help: "The signed file; - is standard input.") var file: String?
    @Option(help: .value("signature", "The detached signature, or @ and the file that contains it."))
    var signature: String?
    @Option(help: .value("token", "A token, or @ and the file that contains it.")) var token: String?
    @Option(name: .customLong("public"), help: .publicKeys) var publicKeys: [String] = []
    @OptionGroup var report: ReportOptions<PlainForms>
    @Option(help: .app) var app: String?
    @Option(help: .device) var device: String?
    @Option(help: .instant("The instant of evaluation"), transform: Instant.init(argument:)) var at: Instant?

    func validate() throws {
        guard token == nil || (file == nil && signature == nil) else {
            throw ValidationError(
                "A token contains the signed bytes and the signature; leave out the file and --signature.")
        }
        guard token != nil || (app == nil && device == nil && at == nil)
        else { throw ValidationError("--app, --device and --at require --token.") }
    }

    func run() throws {
        guard !publicKeys.isEmpty else { throw UsageFailure("No key; name the trusted public keys with --public.") }
        if let token {
            try verify(token: token)
        } else if let file, let signature {
            let verifier = try PublicKeyVerifier(contentsOf: publicKeys)
            let detached = try SignatureText.read(signature)
            let bytes = try InputFile(path: file).readAll(limit: .max) ?? []
            try judge { try write(verifier.signer(of: DetachedSignature(detached), payload: bytes)) }
        } else {
            throw UsageFailure("No signature to verify; give a file and --signature, or --token.")
        }
    }

    private func verify(token text: String) throws {
        let verifier = try PublicKeyVerifier(contentsOf: publicKeys)
        let text = try SignatureText.read(text)
        try judge {
            let token = try SignedToken(text)
            let key = try verifier.signer(of: token.signature, payload: token.payload)
            let payload = try DevicePayload(verifying: token, by: verifier)
            try payload.check(app: app, device: device, at: (at ?? .now).seconds)
            let expires = Instant(seconds: payload.expires).description
            try write(
                key, ["valid until \(expires)", payload.json.prettyText],
                ["expires": .string(expires), "payload": payload.json])
        }
    }

    /// Runs a check of signatures. Errors but those of files are what it finds: exit 2, and the reason.
    private func judge(_ check: () throws -> Void) throws {
        let failure: CommandFailure
        do {
            return try check()
        } catch let error as FileError {
            throw error
        } catch let error as DevicePayloadError {
            failure = CommandFailure(error.problems.map { "the token: \($0.message)" })
        } catch let error as JSONParsingError {
            failure = CommandFailure("the token's payload is not JSON: \(error)")
        } catch { failure = CommandFailure(error) }
        if report.chosen == .json { try report.write([], json: failure.json) }
        throw failure.finding()
    }

    private func write(_ key: PublicKey, _ lines: [String] = [], _ members: JSONObject = [:]) throws {
        var object = members
        object["key"] = .string(key.keyID)
        object["algorithm"] = .string(key.algorithm.rawValue)
        try report.write(["signed by \(key.keyID) (\(key.algorithm.rawValue))"] + lines, json: .object(object))
    }
}
