import AllotConfiguration
import AllotSigning

/// A token in compact form, a detached signature, or a key in PEM form.
///
/// A token is written as it was read, and one that verifies has a payload that we signed.
func fuzzTokens(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    if text.hasPrefix("-----") {
        if let key = try? PublicKey(pem: text) { check(!key.description.isEmpty, "a key without a description") }
        _ = try? SigningKey(pem: text)
    }
    if let signature = try? DetachedSignature(text) {
        let other = Array("another payload".utf8)
        check((try? verifier.verify(signature, payload: other)) == nil, "a signature of something else verifies")
        _ = try? verifier.verify(signature, payload: Array(#"{"Shop": {"Color": "blue", "Size": 12}}"#.utf8))
    }
    guard let token = try? SignedToken(text) else { return }
    if let payload = try? verifier.verifiedPayload(token) {
        check(signed.contains(payload), "a payload verifies that was never signed")
    }
    guard let json = try? JSONValue(parsing: token.payload) else { return }
    _ = try? DevicePayload(json)
}

/// Everything that the keys signed whose public halves follow. The private ones are deleted.
private let signed: Set<[UInt8]> = [
    Array(
        #"{"app":"shop","device":"E621E1F8","expires":1795867200,"issued":1795262400,"operation":"apply","#
            .utf8) + Array(#""values":{"Shop":{"Color":"blue","Size":12}}}"#.utf8),
    Array(#"{"app":"shop","device":"E621E1F8","expires":1795867200,"issued":1795262400,"operation":"reset"}"#.utf8),
]

private let verifier: PublicKeyVerifier = {
    do {
        return try PublicKeyVerifier(
            pem: """
                -----BEGIN PUBLIC KEY-----
                MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEQRxCXSWHtBLYPJr+ypSxfgSuiJti
                bC8huQ/OkAdLWZD6gU1WyHGo92jZu1azoxcunte+f6YCkhgWvYDoIQ0vfA==
                -----END PUBLIC KEY-----
                -----BEGIN PUBLIC KEY-----
                MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuCfHbkh1M45SvxqJuBe9
                a9U2LOE5qkbihjfQvQoKY4p8VDR+VYXuE+RPwhH9KgZXRMgYFd3P3voZ1x+3xPNF
                gnkXA5/BYJbTTPbTqcahuOQJU5mMyRBmwZHbh4nsZxeZkWQFyva/DjFm2Kfbxsvk
                a1X0jI3FmMGJcN0ufWPidPRVGhLSR9D80QZt975+BCDtaNj0avdzTvQzjA4Wm/Jk
                lXbScWSWbpW4M/RmEnn71zOH4sH4J98U93IIbRN4MBjQ6OzrkASgSZrJtqKBI2/2
                aSTTk83bsYGLN+TqUN/88LBmOhAFrS7EIpewsuBUGffwvSfaqSNunmz8GwBJLB6m
                YQIDAQAB
                -----END PUBLIC KEY-----
                """)
    } catch {
        fatalError("\(error)")
    }
}()
