import AllotConfiguration
import Testing

@testable import AllotServer

struct CertificateValidityTests {
    private static let day: Int64 = 86_400
    private static let now = Instant(seconds: 1000 * day)

    private static func validity(_ begins: Int64, _ ends: Int64) -> CertificateValidity {
        CertificateValidity(begins: (1000 + begins) * day, ends: (1000 + ends) * day)
    }

    /// The days from now on which the current certificate ends and the next one begins and ends, and what is said.
    static let cases: [(current: Int64, next: (begins: Int64, ends: Int64), refusal: String?, warning: String?)] = [
        (90, (-1, 90), nil, nil),
        (90, (-1, 30), nil, nil),
        (5, (-1, 90), nil, nil),
        (-1, (-1, 90), nil, nil),
        // The next one has ended, or has not begun, whatever the current one is.
        (90, (-9, -1), "its validity ended at", "its validity ended at"),
        (-5, (-9, -1), "its validity ended at", "its validity ended at"),
        (90, (1, 90), "its validity begins at", "its validity begins at"),
        // The next one ends soon: it is taken if the current one ends even sooner.
        (90, (-1, 13), "its validity ends at 1972-10-10T00:00:00Z, before", "its validity ends at"),
        (13, (-1, 5), "before that of the current", "its validity ends at"),
        (5, (-1, 13), nil, "its validity ends at"),
        (5, (-1, 5), nil, "its validity ends at"),
        (-1, (-1, 1), nil, "its validity ends at"),
        (90, (-1, 14), nil, nil),
    ]

    @Test("A certificate does not replace a better one, and is warned about in time", arguments: 0..<13)
    func refusals(number: Int) {
        let sample = Self.cases[number]
        let next = Self.validity(sample.next.begins, sample.next.ends)
        let refusal = next.refusal(instead: Self.validity(-100, sample.current), at: Self.now)
        let warning = next.warning(at: Self.now)
        for (found, expected) in [(refusal, sample.refusal), (warning, sample.warning)] {
            #expect((found == nil) == (expected == nil), "\(sample): \(found ?? "nothing")")
            if let found, let expected { #expect(found.contains(expected), "\(sample): \(found)") }
        }
    }

    @Test("A certificate is valid in its first and its last second")
    func bounds() {
        let validity = Self.validity(0, 0)
        #expect(validity.warning(at: Self.now)?.hasPrefix("its validity ends at") == true)
        #expect(validity.warning(at: Instant(seconds: Self.now.seconds - 1))?.contains("begins") == true)
        #expect(validity.warning(at: Instant(seconds: Self.now.seconds + 1))?.contains("ended") == true)
    }
}
