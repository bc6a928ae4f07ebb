import AllotConfiguration
import AllotSigning
import Testing

/// Links that carry a token for one device.
struct LinkTests {
    @Test("A token is read from itself and from its link, and a link without one is refused")
    func links() throws {
        let token = try SigningKey.generate(.es256).token(Array("{}".utf8))
        let link = try #require(token.link(scheme: "com.example.shop"))
        #expect(link == "com.example.shop://override?token=\(token)")
        for text in [token.text, link, "shop:/a?b=c&token=\(token)&d#e"] {
            #expect(try SignedToken(link: text) == token)
        }
        for text in ["shop://override", "shop://override?token=", "shop://x?#token=\(token)", "shop://token=\(token)"] {
            #expect(throws: SignatureError.self) { try SignedToken(link: text) }
        }
        for scheme in ["", "1a", "a b", "javascript:x", "ä", "https", "JavaScript"] {
            #expect(token.link(scheme: scheme) == nil)
        }
    }
}
