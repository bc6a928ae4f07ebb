import AllotConfiguration
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum HTTPFields {
    /// Whether a text can be a field's value (RFC 9110, section 5.5): anything else could end the field.
    static func isValue(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7e).contains($0) } }

    /// The delay in seconds that `Retry-After` asks for (RFC 9110, section 10.2.3). A date is relative to the server's
    /// clock, or to `now` if the server does not send its time.
    static func retryAfter(_ response: HTTPURLResponse, now: Date) -> Double? {
        guard let text = response.value(forHTTPHeaderField: "Retry-After")?.trimmingCharacters(in: .whitespaces) else {
            return nil
        }
        if let seconds = seconds(text) { return seconds }
        guard let date = date(text) else { return nil }
        return max(0, date.timeIntervalSince(response.value(forHTTPHeaderField: "Date").flatMap(Self.date) ?? now))
    }

    /// The time in seconds for which a response is fresh: `max-age` less `Age` (RFC 9111, sections 4.2 and 5.2.2).
    static func freshness(_ response: HTTPURLResponse) -> Double? {
        guard let control = response.value(forHTTPHeaderField: "Cache-Control") else { return nil }
        var age: Double?
        for directive in control.split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = parts.first?.lowercased() else { continue }
            if name == "no-store" || name == "no-cache" { return nil }
            guard name == "max-age", parts.count == 2 else { continue }
            let value = seconds(parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"")))
            // Contradictory or malformed values do not count.
            guard let value, age ?? value == value else { return nil }
            age = value
        }
        return age.map { max(0, $0 - Self.age(response)) }
    }

    /// The seconds until the next boundary: `ServiceHeader.boundary` less `Age`. Returns `nil` if there is none.
    static func boundary(_ response: HTTPURLResponse) -> Double? {
        response.value(forHTTPHeaderField: ServiceHeader.boundary).flatMap(seconds).map { max(0, $0 - age(response)) }
    }

    private static func age(_ response: HTTPURLResponse) -> Double {
        response.value(forHTTPHeaderField: "Age").flatMap(seconds) ?? 0
    }

    /// A number of whole seconds; numbers that are too large become 2^31, as in RFC 9111, section 1.2.2.
    private static func seconds(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return min(Double(text) ?? 2_147_483_648, 2_147_483_648)
    }

    static func date(_ text: String) -> Date? {
        HTTPDate.instant(text).map { Date(timeIntervalSince1970: TimeInterval($0.seconds)) }
    }
}
