import Foundation
import TestSupport
import Testing

@testable import Allot

@Suite struct InstantTests {
    @Test(
        "Reading",
        arguments: [
            ("1970-01-01T00:00:00Z", 0, 0), ("2026-11-21T12:00:00Z", 1_795_262_400, 0),
            ("2026-11-21T13:00:00+01:00", 1_795_262_400, 0), ("2026-11-21t12:00:00.5z", 1_795_262_400, 500_000_000),
            ("2026-11-21T12:00:00.1234567899-00:00", 1_795_262_400, 123_456_789), ("1969-12-31T23:59:59Z", -1, 0),
            ("2024-02-29T00:00:00Z", 1_709_164_800, 0), ("2016-12-31T23:59:60Z", 1_483_228_800, 0),
            ("0000-01-01T00:00:00Z", -62_167_219_200, 0), ("9999-12-31T23:59:59-12:00", 253_402_343_999, 0),
        ] as [(String, Int64, Int32)])
    func reading(text: String, seconds: Int64, nanoseconds: Int32) {
        #expect(Instant(text) == Instant(seconds: seconds, nanoseconds: nanoseconds))
    }

    @Test(
        "No instants",
        arguments: [
            "", "2026-11-21", "2026-11-21T12:00:00", "2026-11-21 12:00:00Z", "2026-13-01T00:00:00Z",
            "2026-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T12:60:00Z", "2026-11-21T12:00:61Z",
            "2026-11-21T12:00:00.Z",
            "2026-11-21T12:00:00+0100", "2026-11-21T12:00:00+01", "2026-11-21T12:00:00Z ", "26-11-21T12:00:00Z",
            "2026-11-21T12:00:00+24:00", "2026-00-10T00:00:00Z", "2026-01-00T00:00:00Z",
        ])
    func noInstants(text: String) {
        #expect(Instant(text) == nil)
    }

    /// From 1583 on, when Foundation's calendar is the Gregorian one too.
    @Test("Writing agrees with foundation", arguments: 0..<200)
    func writingAgreesWithFoundation(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let seconds = Int64.random(in: -12_212_553_600...253_402_300_799, using: &random)
        let text = Instant(seconds: seconds).description
        #expect(text == Date(timeIntervalSince1970: Double(seconds)).ISO8601Format())
        #expect(Instant(text) == Instant(seconds: seconds))
    }

    @Test("Fractions")
    func fractions() {
        #expect(Instant(seconds: 0, nanoseconds: 120_000_000).description == "1970-01-01T00:00:00.12Z")
        #expect(Instant(seconds: 59).minuteText == "1970-01-01T00:00Z")
    }
}
