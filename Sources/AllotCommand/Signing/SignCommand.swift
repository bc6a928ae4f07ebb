import AllotConfiguration
import AllotFiles
import AllotSigning
import ArgumentParser

struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a file, or settings for one device.",
        usage: "allot sign <file> --key <file> [--device <id> --app <app>] [<options>]",
        discussion: """
            Prints a detached JSON Web Signature (RFC 7515, appendix F) over the bytes of the file: HEADER..SIGNATURE. \
            With --device the file contains values, {"Section": {"Setting": value}}, and the result is a token for \
            that one device, HEADER.PAYLOAD.SIGNATURE, which its app applies until it expires; --reset creates a token \
            that removes them. With --definitions the values are checked, the settings of the variants are added, and \
            --at is the instant of issue. --link prints a link that opens the app with the token, and --qr shows \
            either as a QR code.

            EXAMPLES
              allot sign configuration.json --key signing.pem
              allot sign values.json --key signing.pem --device E621E1F8 --app shop
              allot sign values.json --key signing.pem --device E621E1F8 --app shop --qr
              allot sign --reset --key signing.pem --device E621E1F8 --app shop --link shop
            """)

    @Argument(help: "The file to sign; - is standard input.")
    var file: String?

    @Option(help: .key)
    var key: String

    @OptionGroup(title: "For one device")
    var target: DeviceOptions

    @OptionGroup(title: "For one device, as")
    var form: TokenForm

    @OptionGroup
    var output: OutputOption

    func validate() throws {
        guard target.device != nil || !target.hasDetails else {
            throw ValidationError("--reset, --expires, --variant, --definitions and --at require --device and --app.")
        }
        guard target.device != nil || form.isText else {
            throw ValidationError("--link and --qr require --device and --app.")
        }
        guard !target.reset || file == nil else { throw ValidationError("A reset has no values; leave the file out.") }
    }

    func run() throws {
        guard file != nil || target.reset || !target.variants.isEmpty else {
            throw UsageFailure("No file to sign; name a file, or - for standard input.")
        }
        let signingKey = try SigningKey(contentsOf: key)
        let content = try file.flatMap { try InputFile(path: $0).readAll(limit: .max) } ?? []
        guard target.device != nil else { return try output.write([signingKey.sign(content).text]) }
        let token = try signingKey.token(target.payload(file: file, content).canonicalBytes)
        try output.write(form.lines(token, to: output.output))
    }
}
