import AllotConfiguration
import AllotCore

extension CatalogEntry {
    /// A change of the experiment at an instant.
    public struct Boundary: Sendable {
        /// The instant of the change.
        public let instant: Instant
        /// The change: `starts`, `ends`, `traffic becomes 50%`, or `window 5 begins`.
        public let event: String
    }

    /// The boundaries of a running experiment, in order: its start, the steps of its traffic, its end.
    package var boundaries: [Boundary] {
        Set(experiment.boundaries).sorted().map { Boundary(instant: $0, event: event(at: $0)) }
    }

    /// The next boundary after the instant; `nil` if nothing changes any more.
    public var nextBoundary: Boundary? {
        let next =
            experiment.boundaries.filter { $0 > instant } + [experiment.nextWindow(after: instant)].compactMap { $0 }
        return next.min().map { Boundary(instant: $0, event: event(at: $0)) }
    }

    /// The window that decides at the instant, and when the next one begins; `nil` without one.
    package var windowText: String? {
        guard let window = experiment.window(at: instant) else { return nil }
        let next = experiment.nextWindow(after: instant).map {
            ", the next begins at \($0.shortText) (\(Self.distance(to: $0, from: instant)))"
        }
        return "\(window.number), since \(window.since.shortText)\(next ?? "")"
    }

    private func event(at boundary: Instant) -> String {
        if boundary == experiment.schedule.starts { return "starts" }
        if boundary == experiment.ends { return "ends" }
        if !experiment.boundaries.contains(boundary), let window = experiment.window(at: boundary) {
            return "window \(window.number) begins"
        }
        return "traffic becomes \(Percentage.text(ofBuckets: experiment.traffic.share(at: boundary)))"
    }

    /// The status and the schedule in words: `running since 2026-11-01T00:00Z (21 days)`.
    public var schedule: String {
        func words(_ before: String, _ boundary: Instant?) -> String {
            boundary.map { "\(before)\($0.shortText) (\(Self.distance(to: $0, from: instant)))" } ?? ""
        }
        switch phase {
        case .running:
            let days = counted(daysRunning ?? 0, "day")
            let since = experiment.schedule.starts.map { " since \($0.shortText) (\(days))" } ?? ""
            return "running\(since)\(words(", ends ", experiment.ends))"
        case .scheduled:
            let until = experiment.ends.map { ", ends \($0.shortText)" } ?? ""
            return "running, starts \(words("", experiment.schedule.starts))\(until)"
        case .ended: return "running, ended \(experiment.ends?.shortText ?? "")"
        case .draft: return "draft" + (experiment.schedule.starts.map { ", planned from \($0.shortText)" } ?? "")
        case .paused: return "paused"
        case .concluded: return "concluded: \(experiment.winner.map { "\($0) won" } ?? "no variant won")"
        }
    }

    /// How many whole days it has been running; `nil` if it is not running, or has no start.
    var daysRunning: Int? {
        guard phase == .running, let starts = experiment.schedule.starts else { return nil }
        return Int((instant.seconds - starts.seconds) / 86_400)
    }

    /// How far away an instant is: `in 3 days`, `in 5 hours`, `in less than an hour`.
    package static func distance(to boundary: Instant, from instant: Instant) -> String {
        let seconds = Int(boundary.seconds - instant.seconds)
        if seconds >= 2 * 86_400 { return "in \(counted(seconds / 86_400, "day"))" }
        return seconds >= 3600 ? "in \(counted(seconds / 3600, "hour"))" : "in less than an hour"
    }
}
