import AllotConfiguration
import AllotDefinitions

package struct CertificateValidity: Sendable, Equatable {
    package let begins: Instant
    package let ends: Instant
    /// The time before its end in which a certificate is due to be replaced: 14 days, in seconds.
    private static let notice: Int64 = 14 * 86_400

    /// A time between two numbers of seconds since 1970.
    package init(begins: Int64, ends: Int64) {
        self.begins = Instant(seconds: begins)
        self.ends = Instant(seconds: ends)
    }

    /// The reason why the certificate does not replace the current one; `nil` if it does, as if that ends sooner.
    package func refusal(instead current: Self, at now: Instant = .now) -> String? {
        if let fault = fault(at: now) { return fault }
        guard isDue(at: now), ends < current.ends else { return nil }
        return "its validity ends at \(ends), before that of the current certificate, at \(current.ends)"
    }

    /// The reason why an operator has to act; `nil` if there is no need yet.
    package func warning(at now: Instant = .now) -> String? {
        fault(at: now) ?? (isDue(at: now) ? "its validity ends at \(ends)" : nil)
    }

    private func fault(at now: Instant) -> String? {
        if now < begins { return "its validity begins at \(begins)" }
        return now > ends ? "its validity ended at \(ends)" : nil
    }

    private func isDue(at now: Instant) -> Bool { ends.seconds - now.seconds < Self.notice }
}
