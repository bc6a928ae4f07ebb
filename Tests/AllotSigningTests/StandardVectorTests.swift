import AllotConfiguration
import AllotSigning
import Testing

/// The examples of the standards.
struct StandardVectorTests {
    /// The payload of RFC 7515, appendices A.2 and A.3.
    private static let claims = Array(
        "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}".utf8)

    /// RFC 7515, appendix A.2.
    private static let rsaSignature = """
        cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9C\
        UAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6\
        _dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp\
        0igcN_IoypGlUPQGe77Rw
        """

    @Test("The RSA example of RFC 7515 is verified")
    func rsaOfRFC7515() throws {
        let signature = try DetachedSignature("eyJhbGciOiJSUzI1NiJ9..\(Self.rsaSignature)")
        let key = try SigningKey(pem: StandardKeys.rsa)
        #expect(signature.header.algorithm == .rs256)
        #expect(signature.header.keyID == nil)
        try PublicKeyVerifier(pem: key.publicKeyPEM).verify(signature, payload: Self.claims)
        // PKCS #1 signatures have no chance in them.
        #expect(try key.signature(of: signature.signingInput(payload: Self.claims)) == signature.bytes)
    }

    @Test("The ECDSA example of RFC 7515 is verified")
    func ecdsaOfRFC7515() throws {
        let signature = try DetachedSignature(
            "eyJhbGciOiJFUzI1NiJ9.."
                + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
        let key = try SigningKey(pem: StandardKeys.p256)
        let verifier = try PublicKeyVerifier(pem: key.publicKeyPEM)
        try verifier.verify(signature, payload: Self.claims)
        // ECDSA signs otherwise each time.
        let own = try key.sign(Self.claims)
        #expect(own.bytes != signature.bytes)
        try verifier.verify(own, payload: Self.claims)
    }

    /// RFC 7520, section 4.1, with a key ID of its own.
    @Test("The RSA example of RFC 7520 is verified")
    func rsaOfRFC7520() throws {
        let text = """
            eyJhbGciOiJSUzI1NiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9..\
            MRjdkly7_-oTPTS3AXP41iQIGKa80A0ZmTuV5MEaHoxnW2e5CZ5NlKtainoFmKZopdHM1O2U4mwzJdQx996ivp83xu\
            glII7PNDi84wnB-BDkoB\
            wA78185hX-Es4JIwmDLJK3lfWRa-XtL0RnltuYv746iYTh_qHRD68BNt1uSNCrUCTJDt5aAE6x8wW1Kt9eRo4QPocS\
            adnHXFxnt8Is9UzpERV0\
            ePPQdLuW3IS_de3xyIrDaLGdjluPxUAhb6L2aXic1U12podGU0KLUQSE_oI-ZnmKJ3F4uOZDnd6QZWJushZ41Axf_f\
            cIe8u9ipH84ogoree7vj\
            bU5y18kDquDg
            """
        let payload = Array(
            """
            It\u{2019}s a dangerous business, Frodo, going out your door. You step onto the road, and if you \
            don't keep your \
            feet, there\u{2019}s no knowing where you might be swept off to.
            """.utf8)
        let bilbo = "bilbo.baggins@hobbiton.example"
        let key = try PublicKey(pem: StandardKeys.cookbookRSA, keyID: bilbo)
        let signature = try DetachedSignature(text)
        #expect(signature.header.keyID == bilbo)
        #expect(signature.text == text)
        try PublicKeyVerifier([key]).verify(signature, payload: payload)
    }

    /// RFC 7638, section 3.1; the others by Python's `hashlib` and `json`.
    @Test("The thumbprint of RFC 7638 is the key's ID")
    func thumbprints() throws {
        #expect(
            try PublicKey(pem: StandardKeys.thumbprintRSA).keyID == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        #expect(try SigningKey(pem: StandardKeys.rsa).keyID == "IsUn6_e04MaShXFIISMp4kG62LWzMIPy_MvSA5pJgX8")
        #expect(try SigningKey(pem: StandardKeys.p256).keyID == "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U")
    }
}
