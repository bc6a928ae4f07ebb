import Testing

@testable import AllotAnalysis

struct TimeOrderTests {
    private func check(_ times: [String]) -> TimeOrder {
        var order = TimeOrder()
        for (index, time) in times.enumerated() { time.withBytes { order.step($0, line: index + 2) } }
        return order
    }

    @Test("Steps are different times")
    func stepsAreDifferentTimes() {
        let order = check(["2026-11-01T00:00:00Z", "2026-11-01T00:00:00Z", "2026-11-01T00:00:00.5Z"])
        #expect(order.fault == nil)
        #expect(order.stepCount == 2)
        #expect(order.instant?.description == "2026-11-01T00:00:00.5Z")
    }

    /// One o'clock in Berlin is midnight in Greenwich.
    @Test("Instants are compared with their offsets")
    func instantsAreComparedWithTheirOffsets() {
        #expect(check(["2026-11-01T00:00:00Z", "2026-11-01T01:00:01+01:00"]).fault == nil)
        let fault = check(["2026-11-01T00:00:00Z", "2026-11-01T00:30:00+01:00"]).fault
        #expect(fault == TimeOrder.Fault(line: 3, text: "2026-11-01T00:30:00+01:00", isEarlier: true))
    }

    @Test("Numbers are compared as numbers")
    func numbersAreComparedAsNumbers() {
        #expect(check(["9", "10", "10", "11"]).fault == nil)
        #expect(check(["9", "10", "8", "7"]).fault == TimeOrder.Fault(line: 4, text: "8", isEarlier: true))
        #expect(check(["9", "10"]).instant == nil)
    }

    @Test("Text is compared by its bytes")
    func textIsComparedByItsBytes() {
        #expect(check(["2026-11-01 09:00:00", "2026-11-01 10:00:00"]).fault == nil)
        #expect(check(["2026-11-02 09:00:00", "2026-11-01 10:00:00"]).fault?.isEarlier == true)
    }

    @Test(
        "Text that is not a time is a fault",
        arguments: [
            ["", "2026-11-01T00:00:00Z"], ["2026-11-01T00:00:00Z", ""], ["2026-11-01T00:00:00Z", "later"],
            ["1", "1.5"],
        ])
    func textThatIsNotATimeIsAFault(times: [String]) {
        #expect(check(times).fault?.isEarlier == false)
    }

    @Test("A row without a time has no instant, and not that of the row before it")
    func rowsWithoutTimes() {
        #expect(check(["2026-11-01T00:00:00Z", ""]).instant == nil)
        #expect(check(["2026-11-01T00:00:00Z", "later"]).instant == nil)
        let again = check(["2026-11-01T00:00:00Z", "", "2026-11-01T00:00:00Z"])
        #expect(again.instant?.description == "2026-11-01T00:00:00Z" && again.stepCount == 1)
    }
}
