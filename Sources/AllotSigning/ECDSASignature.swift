internal import CLibCrypto

/// The two forms of an ECDSA signature on P-256: r followed by s, as in JSON Web Signature (RFC 7518, section 3.4), and
/// DER (RFC 3279, section 2.2.3), as in libcrypto.
package enum ECDSASignature {
    private static let half = 32

    /// DER of r and s. Returns `nil` unless there are 64 bytes.
    package static func der(raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 2 * half, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let (r, s) = (BN_bin2bn(raw, Int32(half), nil), BN_bin2bn(Array(raw[half...]), Int32(half), nil))
        guard ECDSA_SIG_set0(signature, r, s) == 1 else { return nil }
        return KeyHandle.written { i2d_ECDSA_SIG(signature, $0) }
    }

    /// r and s of DER. Returns `nil` if it is not strict DER of two numbers from 0 to 2^256 - 1.
    package static func raw(der: [UInt8]) -> [UInt8]? {
        guard let signature = KeyHandle.read(der, { d2i_ECDSA_SIG(nil, &$0, $1) }) else { return nil }
        defer { ECDSA_SIG_free(signature) }
        // libcrypto reads other forms too.
        guard KeyHandle.written({ i2d_ECDSA_SIG(signature, $0) }) == der,
            let r = KeyHandle.bytes(of: ECDSA_SIG_get0_r(signature), count: half),
            let s = KeyHandle.bytes(of: ECDSA_SIG_get0_s(signature), count: half)
        else { return nil }
        return r + s
    }
}
