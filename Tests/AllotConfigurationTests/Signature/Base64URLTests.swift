import AllotConfiguration
import Foundation
import TestSupport
import Testing

struct Base64URLTests {
    /// RFC 4648, section 10, and RFC 7515, appendix C.
    @Test(
        "The vectors of RFC 4648 are encoded and decoded",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, text: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == text)
        #expect(Base64URL.decode(text.utf8) == Array(plain.utf8))
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
    }

    @Test("The encoding agrees with Foundation's", arguments: 0..<20)
    func agreesWithFoundation(seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        for length in 0..<50 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Base64URL.encode(bytes)
            let expected = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .filter { $0 != "=" }
            #expect(text == expected)
            #expect(Base64URL.decode(text.utf8) == bytes)
        }
    }

    /// Padding, other alphabets, white space, impossible lengths, and bits that stand for nothing.
    @Test(
        "Anything other than the strict form is refused",
        arguments: ["Zg==", "Zm8=", "Z", "Zm9vY", "+/8", "Zm9v\n", " Zm9v", "Zh", "Zm9", "Zm9vYg\u{0}", "Zm9vä"])
    func anythingElseIsRefused(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }
}
