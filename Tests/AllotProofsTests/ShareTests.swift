import AllotCore
import Testing

@testable import AllotProofs

struct StatedShareTests {
    @Test("A share has as many decimals as it is written with")
    func decimals() throws {
        #expect(try #require(StatedShare("100%")).share == .all)
        #expect(try #require(StatedShare("0%")).share == .none)
        #expect(try #require(StatedShare("12.5%")).share == ExactShare(buckets: 125_000))
        #expect(try #require(StatedShare("0.00005%")).share.decimalText == "0.0000005")
        #expect(try #require(StatedShare("32.6666340000000001%")).share.decimalText == "0.326666340000000001")
        for text in ["12.5", "101%", "100.1%", "-1%", "1e1%", "%", ".5%", "1000%", "200%", "900.000%"] {
            #expect(StatedShare(text) == nil, "\(text)")
        }
    }

    @Test("A share is shown with all its digits")
    func shown() {
        #expect(ShareText.percent(ExactShare(buckets: 61_250)) == "6.125%")
        #expect(ShareText.percent(.all) == "100%")
        #expect(ShareText.percent(.none) == "0%")
        #expect(ShareText.percent(ExactShare(buckets: 980_000).of(buckets: 333_333)) == "32.666634%")
        #expect(ShareText.percent(ExactShare(buckets: 1)) == "0.0001%")
    }
}
