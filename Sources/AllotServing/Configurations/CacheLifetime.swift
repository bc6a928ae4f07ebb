import Allot

/// How long clients may use an answer before they fetch again. `Sendable`.
///
/// It never reaches past the next boundary of the plan. Without an interval it is stated only if that boundary is
/// nearer than ``usualInterval``, after which apps fetch again by themselves.
package struct CacheLifetime: Sendable {
    /// In seconds; `nil` if none is stated.
    private let interval: Int64?
    /// `Cache-Control` of an answer that no boundary is close to.
    package let usualHeader: String

    /// In seconds.
    private static let usualInterval: Int64 = 12 * 60 * 60

    /// - Parameter interval: the time between two fetches, in whole seconds; `nil` or a negative one is not stated.
    package init(_ interval: Duration?) {
        self.interval = interval.flatMap { $0 < .zero ? nil : $0.components.seconds }
        usualHeader = Self.header(self.interval)
    }

    /// `Cache-Control` of an answer if it is not ``usualHeader``.
    ///
    /// - Parameter boundary: the next boundary after the instant of the answer.
    package func header(until boundary: Instant?, at now: Instant) -> String? {
        guard let boundary else { return nil }
        // Rounded down, so that the answer is out of date before it is wrong.
        let left = boundary.seconds - now.seconds - (boundary.nanoseconds < now.nanoseconds ? 1 : 0)
        return left < interval ?? Self.usualInterval ? Self.header(max(left, 0)) : nil
    }

    private static func header(_ seconds: Int64?) -> String {
        "private" + (seconds.map { ", max-age=\($0)" } ?? "")
    }
}
