/// A cryptographic hash that engines have.
enum DigestFunction: Sendable {
    case md5, sha1, sha256

    var name: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        }
    }

    /// The bytes of some hexadecimal digits of a digest.
    static func bytes(of digits: Range<Int>) -> Range<Int> {
        digits.lowerBound / 2..<(digits.upperBound + 1) / 2
    }
}
