import Testing

@testable import AllotServing

struct StoreFailureLineTests {
    @Test("A line comes once a minute, and says how many requests failed without one")
    func onceAMinute() {
        let start = ContinuousClock.now
        var lines = StoreFailureLines()
        func fail(_ seconds: Double, requests: Int = 1) -> String? {
            lines.fail("full", requests: requests, at: start + .seconds(seconds))
        }
        #expect(fail(0) == "full")
        #expect(fail(0) == nil)
        #expect(fail(30, requests: 2) == nil)
        #expect(fail(59.9, requests: 0) == nil)
        #expect(fail(60) == "full (3 requests failed after the last line about it)")
        #expect(fail(61) == nil)
        #expect(fail(120, requests: 0) == "full (1 request failed after the last line about it)")
        #expect(fail(180, requests: 0) == "full")
    }

    @Test("A recovery is worth a line after a line about a failure only")
    func recovery() {
        let start = ContinuousClock.now
        var lines = StoreFailureLines()
        #expect(lines.recover() == false)
        _ = lines.fail("full", requests: 1, at: start)
        #expect(lines.recover() == true)
        #expect(lines.recover() == false)
        // The store fails and recovers again within the minute.
        #expect(lines.fail("full", requests: 1, at: start + .seconds(5)) == nil)
        #expect(lines.recover() == false)
        #expect(lines.fail("full", requests: 1, at: start + .seconds(70)) != nil)
        #expect(lines.recover() == true)
    }
}
