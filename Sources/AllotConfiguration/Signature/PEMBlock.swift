/// One `-----BEGIN …-----` of a text (RFC 7468).
package struct PEMBlock: Sendable, Hashable {
    /// The label, such as `PUBLIC KEY`.
    package let label: String
    package let isEncrypted: Bool
    package let bytes: [UInt8]

    /// The blocks of a text; the text around them is skipped.
    package static func blocks(in text: String, name: String) throws(SignatureError) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var label: String?
        var lines: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            // A byte order mark may precede the first line.
            let line = line.drop { $0 == "\u{FEFF}" }.trimmed
            if let open = label {
                if let end = Self.label(of: line, "END") {
                    guard end == open else { throw damaged(name, open) }
                    blocks.append(try PEMBlock(open, lines, name: name))
                    label = nil
                } else {
                    lines.append(line)
                }
            } else if let begun = Self.label(of: line, "BEGIN") {
                label = begun
                lines = []
            }
        }
        if let label { throw damaged(name, label) }
        return blocks
    }

    private init(_ label: String, _ lines: [String], name: String) throws(SignatureError) {
        self.label = label
        let headers = lines.filter { $0.utf8.contains(UInt8(ascii: ":")) }
        isEncrypted = label.hasPrefix("ENCRYPTED ") || headers.contains { $0.hasSuffix("ENCRYPTED") }
        // Headers with commas continue on further lines. They precede the text, and only encrypted keys have them.
        let text = lines.drop { $0.utf8.contains(UInt8(ascii: ":")) }.flatMap { Array($0.utf8) }
        guard let bytes = Base64.decode(text), !bytes.isEmpty else { throw Self.damaged(name, label) }
        self.bytes = bytes
    }

    /// The bytes of the public keys of a text, at least one. Messages call the text by a name.
    package static func publicKeys(in text: String, name: String) throws(SignatureError) -> [[UInt8]] {
        let blocks = try Self.blocks(in: text, name: name)
        if let other = blocks.first(where: { $0.label != "PUBLIC KEY" }) { throw otherBlock(other.label, name) }
        guard !blocks.isEmpty else {
            let problem =
                mayBeDER(text)
                ? "expected PEM, but this looks like DER; convert it: "
                    + "openssl pkey -pubin -inform DER -in FILE -out FILE"
                : "there is no public key; it begins with -----BEGIN PUBLIC KEY-----"
            throw .unusable(name, problem)
        }
        return blocks.map(\.bytes)
    }

    private static func otherBlock(_ label: String, _ name: String) -> SignatureError {
        let fix =
            switch label {
            case "CERTIFICATE": "extract its key: openssl x509 -pubkey -noout -in FILE"
            case "RSA PUBLIC KEY": "convert it: openssl rsa -RSAPublicKey_in -pubout -in FILE"
            case _ where label.hasSuffix("PRIVATE KEY"):
                "keep it secret and use its public half: openssl pkey -pubout -in FILE"
            default: "a public key begins with -----BEGIN PUBLIC KEY-----"
            }
        return .unusable(name, "this is \(QuotedText(label)), not a public key; \(fix)")
    }

    /// Whether a text without blocks looks like DER: the tag of a sequence, and bytes that are not text.
    package static func mayBeDER(_ text: String) -> Bool {
        text.utf8.first == 0x30 && text.unicodeScalars.contains("\u{FFFD}")
    }

    private static func damaged(_ name: String, _ label: String) -> SignatureError {
        .unusable(name, "the block \(QuotedText(label)) is cut off or not base 64; copy it whole")
    }

    private static func label(of line: String, _ word: String) -> String? {
        let (start, end) = ("-----\(word) ", "-----")
        guard line.hasPrefix(start), line.hasSuffix(end), line.utf8.count > start.utf8.count + end.utf8.count else {
            return nil
        }
        return String(line.dropFirst(start.count).dropLast(end.count))
    }
}
