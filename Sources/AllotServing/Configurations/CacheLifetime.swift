import AllotCore

/// How long clients may use an answer before they fetch again. `Sendable`.
///
/// An interval is stated only if the server names one, and never reaches past the next boundary of the plan. The
/// boundary itself is stated apart, so that a schedule never lengthens the interval that a client chose.
package struct CacheLifetime: Sendable {
    /// In seconds; `nil` if none is stated.
    private let interval: Int64?
    /// `Cache-Control` of an answer without a boundary nearby.
    package let usualHeader: String

    /// - Parameter interval: the time between two fetches, in whole seconds; `nil` or a negative one is not stated.
    package init(_ interval: Duration?) {
        self.interval = interval.flatMap { $0 < .zero ? nil : $0.components.seconds }
        usualHeader = Self.header(self.interval)
    }

    /// `Cache-Control` of an answer if it is not ``usualHeader``.
    ///
    /// - Parameter boundary: the next boundary after the instant of the answer.
    package func header(until boundary: Instant?, at now: Instant) -> String? {
        guard let boundary, let interval else { return nil }
        // Rounded down, so that the answer is out of date before it is wrong.
        let left = boundary.seconds - now.seconds - (boundary.nanoseconds < now.nanoseconds ? 1 : 0)
        return left < interval ? Self.header(max(left, 0)) : nil
    }

    /// `ServiceHeader.boundary` of an answer.
    ///
    /// - Parameter boundary: the next boundary after the instant of the answer.
    package static func boundaryHeader(_ boundary: Instant, at now: Instant) -> String {
        // Rounded up, so that a client that waits as long asks after it.
        String(boundary.seconds - now.seconds + (boundary.nanoseconds > now.nanoseconds ? 1 : 0))
    }

    private static func header(_ seconds: Int64?) -> String {
        "private" + (seconds.map { ", max-age=\($0)" } ?? "")
    }
}
