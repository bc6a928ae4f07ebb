import AllotConfiguration

/// Keys in DER, for Apple's platforms, which do not read them whole. Other platforms have libcrypto.
extension PublicKeyNumbers {
    /// Reads a SubjectPublicKeyInfo (RFC 5280, section 4.1.2.7), which messages call by a name. RSA keys of an accepted
    /// size have the modulus at one place; the key that its numbers make must have the bytes that were read.
    package init(der: [UInt8], name: String) throws(SignatureError) {
        if let point = try PublicKeyNumbers(p256: der, name: name) {
            self = point
            return
        }
        // 16,384 bits need about half of that.
        let (header, numbers) = (der.prefix(32), der.prefix(4096).dropFirst(32))
        let length = header.suffix(2).reduce(0) { $0 << 8 | Int($1) }
        let modulus = Array(numbers.prefix(length).drop { $0 == 0 })
        // The tag and the length of the exponent have a byte each.
        let exponent = Array(numbers.dropFirst(length + 2).drop { $0 == 0 })
        let key = Self.pkcs1(modulus: modulus, exponent: exponent)
        guard Self.element(0x30, Self.rsaEncryption + Self.element(0x03, [0] + key)) == der else {
            throw .unusable(
                name,
                "this is not a public key of RSA with 2048 to 16384 bits or on the curve P-256; copy the whole file, "
                    + "or generate one with allot keys generate")
        }
        try self.init(modulus: modulus, exponent: exponent, name: name)
    }

    /// The identifier of RSA keys (RFC 3279, section 2.3.1).
    private static let rsaEncryption: [UInt8] = [
        0x30, 13, 0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0,
    ]

    /// An RSAPublicKey of PKCS #1 (RFC 8017, appendix A.1.1).
    package static func pkcs1(modulus: [UInt8], exponent: [UInt8]) -> [UInt8] {
        element(0x30, integer(modulus) + integer(exponent))
    }

    private static func integer(_ number: [UInt8]) -> [UInt8] {
        element(0x02, (number.first.map { $0 >= 0x80 } == true ? [0] : []) + number)
    }

    /// An element whose content has less than 128 bytes, or from 256 to 65,535.
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        return [tag] + (count < 128 ? [UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 255)]) + content
    }
}
