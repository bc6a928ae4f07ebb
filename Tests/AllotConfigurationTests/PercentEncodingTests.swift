import AllotConfiguration
import Foundation
import Testing

struct PercentEncodingTests {
    @Test(
        "Each byte that is not kept is written by its number",
        arguments: [
            ("a-Z.0_9~", "a-Z.0_9~"), ("a b/c", "a%20b%2Fc"), ("\u{1}é\u{301}", "%01%C3%A9%CC%81"), ("", ""),
            ("\u{1F468}", "%F0%9F%91%A8"),
        ])
    func unreserved(text: String, encoded: String) {
        #expect(text.percentEncoded(keeping: \.isUnreservedInURI) == encoded)
        #expect(encoded.removingPercentEncoding.map { Array($0.utf8) } == Array(text.utf8))
    }
}
