import Testing

@testable import AllotAnalysis

struct MomentTests {
    private func moments(_ times: [String]) -> (moments: [Moment], kind: Moment.Kind?) {
        var reader = MomentReader()
        let moments = times.map { time in time.withBytes { reader.read($0) } }
        return (moments, reader.kind)
    }

    /// Times in order, with the text that they are shown with and their day.
    @Test(
        "Times are compared in the way in which they are written",
        arguments: [
            (["2026-11-01T00:00:00Z", "2026-11-01T01:00:01+01:00"], "2026-11-01T00:00:01Z", "2026-11-01"),
            (["1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00.5Z"], "1970-01-01T00:00:00.5Z", "1970-01-01"),
            (["2026-11-01", "2026-11-02"], "2026-11-02T00:00:00", "2026-11-02"),
            (["2026-11-01 09:00", "2026-11-01 10:00:30"], "2026-11-01T10:00:30", "2026-11-01"),
            (["9", "10"], "10", "10"), (["-5", "1793491200123"], "1793491200123", "1793491200123"),
            (["2026-11-01T00:00:00Z", ""], "", ""), (["2026-11-01T00:00:00Z", "later"], "", ""),
        ])
    func order(times: [String], text: String, day: String) throws {
        let found = moments(times).moments
        #expect(found[0] < found[1])
        #expect(found[1].text == text)
        #expect(found[1].dayText ?? "" == day)
    }

    @Test("The most frequent kind of time is that of the file, whatever the order of rows")
    func kinds() {
        #expect(moments(["7", "2026-11-01", "2026-11-02"]).kind == .local)
        #expect(moments(["2026-11-01", "7"]).kind == .local)
        #expect(moments(["7", "2026-11-01"]).kind == .local)
        #expect(moments(["", "x"]).kind == nil)
    }

    @Test("Times beyond what 8 bytes hold stay at the largest")
    func largest() {
        let found = moments(["\(Int64.max)", "\(Int64.min)"]).moments
        #expect(found[0] > found[1])
        #expect(found[0] < .unknown)
    }
}
