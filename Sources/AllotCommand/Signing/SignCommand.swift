import AllotConfiguration
import AllotFiles
import AllotSigning
import ArgumentParser

struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a file, or settings for one device.",
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

    @Argument(help: "The file to sign; - is standard input.") var file: String?
    @Option(help: .key) var key: String
    @OptionGroup(title: "For one device") var target: DeviceOptions
    @OptionGroup(title: "For one device, as") var form: TokenForm
    @OptionGroup var output: OutputOption

    func validate() throws {
        guard target.device != nil || !target.hasDetails else {
            throw ValidationError("--reset, --expires, --variant, --definitions and --at require --device and --app.")
        }
        guard target.device != nil || form.isText
        else { throw ValidationError("--link and --qr require --device and --app.") }
        guard !target.reset || file == nil else { throw ValidationError("A reset has no values; leave the file out.") }
    }

    func run() throws {
        guard file != nil || target.reset || !target.variants.isEmpty
        else { throw UsageFailure("No file to sign; name a file, or - for standard input.") }
        let signingKey = try SigningKey(contentsOf: key)
        let content = try file.flatMap { try InputFile(path: $0).readAll(limit: .max) } ?? []
        guard target.device != nil else { return try output.write([signingKey.sign(content).text]) }
        let token = try signingKey.token(target.payload(file: file, content).canonicalBytes)
        try output.write(form.lines(token, to: output.output))
    }
}

/// The form in which a token is handed on: as text, as a link, and either as a QR code.
struct TokenForm: ParsableArguments {
    @Option(
        help: .value("scheme", "Print a link that opens the app with its URL scheme: SCHEME://override?token=TOKEN."))
    var link: String?
    @Flag(help: "Show a QR code of the link, or of the token, on the terminal.") var qr = false

    var isText: Bool { link == nil && !qr }

    func lines(_ token: SignedToken, to output: String) throws -> [String] {
        var text = token.text
        if let link {
            guard let whole = token.link(scheme: link) else {
                throw CommandFailure(
                    "\(QuotedText(link)) is not the URL scheme of an app; write one such as shop, which no browser "
                        + "opens")
            }
            text = whole
        }
        guard qr else { return [text] }
        let name = link == nil ? "token" : "link"
        guard let code = QRCode(text) else {
            throw CommandFailure(
                "the \(name) has \(text.utf8.count) bytes, and a QR code at most \(QRCode.limit); send the \(name) as "
                    + "text, or sign fewer values")
        }
        // Light on dark whatever the colours of a terminal.
        let isTerminal = output == "-" && isatty(STDOUT_FILENO) == 1
        return code.lines.map { isTerminal ? "\u{1B}[97;40m\($0)\u{1B}[0m" : $0 }
    }
}

extension QRCode {
    /// The code as lines of text for a dark terminal: a character is two modules, one above the other, and its ink is
    /// light. The code has the margin of 4 modules that readers need.
    fileprivate var lines: [String] {
        func isLight(_ row: Int, _ column: Int) -> Bool {
            guard (4..<width + 4).contains(row), (4..<width + 4).contains(column) else { return row < width + 8 }
            return !modules[(row - 4) * width + column - 4]
        }
        return stride(from: 0, to: width + 8, by: 2).map { row in
            (0..<width + 8).map { column -> String in
                switch (isLight(row, column), isLight(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }
}
