import AllotConfiguration
import AllotSigning
import TestSupport
import Testing

/// Others verify what is signed here, and the other way round.
@Suite(.blocks) struct CrossCheckTests {
    @Test(
        "Open SSL agrees", .enabled(if: Tool.hasOpenSSL, "the command openssl is missing"),
        arguments: SignatureAlgorithm.allCases)
    func openSSLAgrees(algorithm: SignatureAlgorithm) throws {
        let key = try Samples.key(algorithm)
        let folder = try TemporaryFolder()
        try folder.write(key.privateKeyPEM, to: "key.pem")
        try folder.write(key.publicKeyPEM, to: "public.pem")
        let derived = try Tool.openssl.run(["pkey", "-in", "key.pem", "-pubout"], in: folder)
        #expect(derived.output == key.publicKeyPEM)

        let signature = try key.sign(Samples.payload)
        let message = signature.signingInput(payload: Samples.payload)
        try folder.write(message, to: "message")
        try folder.write(form(signature.bytes, algorithm), to: "signature")
        let verify = ["dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "message"]
        #expect(try Tool.openssl.run(verify, in: folder).status == 0)
        try folder.write(message + [0], to: "message")
        #expect(try Tool.openssl.run(verify, in: folder).status != 0)

        try folder.write(message, to: "message")
        let sign = ["dgst", "-sha256", "-sign", "key.pem", "-out", "signature", "message"]
        try #require(try Tool.openssl.run(sign, in: folder).status == 0)
        let made = try folder.bytes("signature")
        let bytes = algorithm == .es256 ? try #require(ECDSASignature.raw(der: made)) : made
        try PublicKeyVerifier(pem: key.publicKeyPEM).verify(
            DetachedSignature(header: signature.header, bytes: bytes), payload: Samples.payload)
    }

    /// OpenSSL has ECDSA signatures in DER.
    private func form(_ bytes: [UInt8], _ algorithm: SignatureAlgorithm) throws -> [UInt8] {
        algorithm == .es256 ? try #require(ECDSASignature.der(raw: bytes)) : bytes
    }

    /// A token that a few lines of Python make, with the thumbprint that they compute, is verified here; and one made
    /// here there.
    @Test(
        "Python's cryptography agrees on signatures",
        .enabled(
            if: Tool.hasPython,
            "there is no Python with the package cryptography, neither python3 nor that of ALLOT_IMPORT_PYTHON"),
        arguments: SignatureAlgorithm.allCases)
    func pythonAgrees(algorithm: SignatureAlgorithm) throws {
        let key = try Samples.key(algorithm)
        let folder = try TemporaryFolder()
        try folder.write(key.privateKeyPEM, to: "key.pem")
        try folder.write(try key.token(Samples.payload).text, to: "token")
        try folder.write(Samples.payload, to: "payload")
        try folder.write(Self.script, to: "check.py")
        let run = try Tool.python.run(["check.py"], in: folder)
        try #require(run.status == 0)
        let lines = run.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 2)
        #expect(lines[0] == key.keyID)
        let token = try SignedToken(lines[1])
        #expect(try PublicKeyVerifier(pem: key.publicKeyPEM).verifiedPayload(token) == Samples.payload)
    }

    private static let script = """
        import base64, hashlib, json
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa, utils

        def encode(data): return base64.urlsafe_b64encode(data).decode().rstrip("=")
        def decode(text): return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        def number(value, length): return encode(value.to_bytes(length, "big"))

        key = serialization.load_pem_private_key(open("key.pem", "rb").read(), None)
        numbers = key.public_key().public_numbers()
        if isinstance(key, rsa.RSAPrivateKey):
            jwk = {"e": number(numbers.e, 3), "kty": "RSA", "n": number(numbers.n, 256)}
        else:
            jwk = {"crv": "P-256", "kty": "EC", "x": number(numbers.x, 32), "y": number(numbers.y, 32)}
        canonical = json.dumps(jwk, sort_keys=True, separators=(",", ":"))
        kid = encode(hashlib.sha256(canonical.encode()).digest())
        print(kid)

        header, payload, signature = open("token").read().split(".")
        message = (header + "." + payload).encode()
        assert decode(payload) == open("payload", "rb").read()
        assert json.loads(decode(header))["kid"] == kid
        raw = decode(signature)
        if isinstance(key, rsa.RSAPrivateKey):
            key.public_key().verify(raw, message, padding.PKCS1v15(), hashes.SHA256())
            alg = "RS256"
        else:
            r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
            key.public_key().verify(utils.encode_dss_signature(r, s), message, ec.ECDSA(hashes.SHA256()))
            alg = "ES256"

        own = (encode(json.dumps({"typ": "JOSE", "alg": alg, "kid": kid}).encode()) + "." + payload).encode()
        if alg == "RS256":
            made = key.sign(own, padding.PKCS1v15(), hashes.SHA256())
        else:
            r, s = utils.decode_dss_signature(key.sign(own, ec.ECDSA(hashes.SHA256())))
            made = r.to_bytes(32, "big") + s.to_bytes(32, "big")
        print(own.decode() + "." + encode(made))
        """
}
