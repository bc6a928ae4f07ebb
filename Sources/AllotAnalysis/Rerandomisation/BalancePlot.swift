import AllotReports

/// The differences of covariates between arms before and after a choice: the plot of T. E. Love (2002).
struct BalancePlot {
    private let covariates: [SaltChoice.Covariate]

    private static let width = 560.0
    private static let rowHeight = 18.0
    private static let labelWidth = 170.0
    private static let longestName = 24
    /// More covariates than this are as good as none to a reader: those that differed most are shown.
    private static let mostRows = 40

    init(_ covariates: [SaltChoice.Covariate]) {
        let sorted = covariates.enumerated().sorted {
            (-abs($0.element.before), $0.offset) < (-abs($1.element.before), $1.offset)
        }
        self.covariates = sorted.prefix(Self.mostRows).map(\.element)
    }

    func draw(in markup: inout Markup) {
        let most = covariates.map { max(abs($0.before), abs($0.after)) }.max() ?? 0
        // Ticks are whole numbers of hundredths, thousandths and so on.
        var scale = 100.0
        while most * scale < 2, scale < 1e9 { scale *= 10 }
        let ticks = AxisTicks(upTo: max(most * scale, 1))
        let end = ticks.end(above: max(most * scale, 1))
        let height = Self.rowHeight * Double(covariates.count)
        let frame = PlotFrame(
            horizontal: -end...end, vertical: 0...Double(covariates.count), left: Self.labelWidth, top: 8,
            width: Self.width - Self.labelWidth - 20, height: height)
        markup.picture(
            width: Self.width, height: height + 56, "Standardised differences of covariates before and after"
        ) { markup in
            let labels = ticks.labels(from: -end, to: end).map { ($0.0, NumberFormat.significant($0.0 / scale, 3)) }
            frame.drawAxes(
                &markup, ticksAcross: labels, nameAcross: "difference, standard deviations", ticksUp: [], nameUp: "")
            markup.line("axis", from: (frame.x(0), frame.top), to: (frame.x(0), frame.top + height))
            for (row, covariate) in covariates.enumerated() {
                let y = frame.y(Double(covariates.count - row) - 0.5)
                let name = covariate.name
                let shown = name.count > Self.longestName ? name.prefix(Self.longestName - 1) + "…" : name
                markup.label(shown, x: Self.labelWidth - 6, y: y + 4, anchor: "end")
                let (before, after) = (frame.x(covariate.before * scale), frame.x(covariate.after * scale))
                markup.line("grid", from: (before, y), to: (after, y))
                markup.rectangle("frame", x: before - 3, y: y - 3, width: 6, height: 6)
                markup.rectangle("bar", x: after - 3, y: y - 3, width: 6, height: 6)
            }
        }
    }
}
