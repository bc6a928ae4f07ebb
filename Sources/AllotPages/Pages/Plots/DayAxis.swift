import AllotConfiguration
import AllotReports

/// Days along the horizontal axis of a plot, in bars of one day or of several.
struct DayAxis {
    /// The first day, counted from 1970-01-01.
    let first: Int
    let step: Int
    let count: Int
    /// The number of lines whose names have room at the right.
    private let lineCount: Int
    private static let mostBars = 120

    /// - Parameter days: at least one, in order.
    init(_ days: [Int], lineCount: Int = 0) {
        self.lineCount = lineCount
        let (start, end) = (days.first ?? 0, days.last ?? 0)
        first = start
        step = (end - start) / Self.mostBars + 1
        count = (end - start) / step + 1
    }

    func bar(_ day: Int) -> Int { (day - first) / step }

    /// The name of a bar: a date, or the first and the last one.
    func name(_ bar: Int) -> String {
        let start = first + bar * step
        return step == 1 ? Self.date(start) : "\(Self.date(start)) to \(Self.date(start + step - 1))"
    }

    static func date(_ day: Int) -> String { CalendarDate(daysSince1970: day).text }

    /// At most three dates, at the middle of their bars; without the year, except for the first of each year.
    var ticks: [(Double, String)] {
        let distance = (count - 1) / 3 + 1
        var year = ""
        return stride(from: 0, to: count, by: distance).map { bar in
            let date = Self.date(first + bar * step)
            let isSameYear = date.dropLast(6) == year
            year = String(date.dropLast(6))
            return (Double(bar) + 0.5, isSameYear ? String(date.suffix(5)) : date)
        }
    }

    var title: String { step == 1 ? "day (UTC)" : "days (UTC), \(step) in a bar" }

    func frame(_ vertical: ClosedRange<Double>) -> PlotFrame {
        PlotFrame(
            horizontal: 0...Double(count), vertical: vertical, pictureHeight: height,
            right: lineCount > 0 ? PlotLine.nameWidth : 8)
    }

    private var height: Double { max(190, Double(lineCount) * PlotLine.nameHeight + 60) }

    func picture(_ title: String, _ body: (inout Markup) -> Void) -> Markup {
        var markup = Markup()
        markup.chart(height: height, title, body)
        return markup
    }
}
