import AllotConfiguration
import AllotCore

extension FileReader {
    private static let periodForm = "{ every: 1h, from: 2026-12-01T00:00Z }"
    private static let lengthForm = "a length of time is a whole number and s, m, h, d or w, such as 1h"
    private static let shortestWindow: Int64 = 60

    /// Reads `period`, and reports windows outside of the schedule. Returns `nil`, with an error, if it cannot be read.
    mutating func period(_ field: Field, within schedule: Schedule, of scale: BucketScale?) -> Period? {
        guard let fields = fields(field, of: "the period", form: Self.periodForm, known: ["every", "from", "balanced"])
        else { return nil }
        for (key, value) in [("every", "1h"), ("from", "2026-12-01T00:00Z, the start of window 0")]
        where fields[key] == nil { error("the period has no \(key); add \(key): \(value)", at: field) }
        let seconds = fields["every"].flatMap { length($0) }
        let from = instant(fields, "from")
        let isBalanced = fields["balanced"].flatMap { flag($0, "balanced") } ?? false
        if let scale, scale.isForeign {
            error(
                "a period hashes the number of a window after the unit ID, and \(scale.scheme.rawValue) hashes the "
                    + "unit ID alone; remove the period, or the hash", at: field, atKey: true)
        }
        if let from, let place = fields["from"] { check(from, within: schedule, at: place) }
        guard let seconds, let from else { return nil }
        return Period(every: seconds, from: from, isBalanced: isBalanced)
    }

    private mutating func length(_ field: Field) -> Int64? {
        switch field.node.content {
        case .text(let text):
            guard let span = TimeSpan(text) else {
                error("every \(QuotedText(text)) is not a length of time; \(Self.lengthForm)", at: field)
                return nil
            }
            if span.seconds >= Self.shortestWindow { return span.seconds }
            error("every \(text) is shorter than a minute; windows of 1m or longer are possible", at: field)
        case .number(let digits):
            error("every is the number \(digits); write its unit too: \(Self.lengthForm)", at: field)
        default: error("every is \(field.node.described); \(Self.lengthForm)", at: field)
        }
        return nil
    }

    private mutating func flag(_ field: Field, _ key: String) -> Bool? {
        if case .boolean(let flag) = field.node.content { return flag }
        error("\(key) is \(field.node.described); write true or false, without quotes", at: field)
        return nil
    }

    /// Reports a first window that begins after the start, or after the end.
    private mutating func check(_ from: Instant, within schedule: Schedule, at field: Field) {
        if let ends = schedule.ends, from >= ends {
            error(
                "the first window begins at \(from.writtenText), and the experiment has ended by then (ends "
                    + "\(ends.writtenText)); it would never enrol a unit", at: field)
        } else if let starts = schedule.starts, from > starts {
            error(
                "the first window begins at \(from.writtenText), after the experiment's start (starts "
                    + "\(starts.writtenText)), and no unit is enrolled before it; begin both at the same instant, or "
                    + "the windows earlier", at: field)
        }
    }
}
