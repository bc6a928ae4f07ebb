/// The A/A comparisons for a terminal.
enum TrialText {
    private static let bars = 10
    private static let width = 40

    static func lines(of trial: SaltTrial) -> [String] {
        let header = ["level", "fair splits rejected", "found", "99% interval", ""]
        let rows = trial.levels.map { level in
            [
                NumberText.percent(level.nominal), "expected \(NumberText.percent(level.attained, 3))",
                "\(NumberText.percent(level.rate, 3)) (\(NumberText.grouped(level.rejectionCount)))",
                "\(NumberText.percent(level.interval.lowerBound, 3)) to "
                    + NumberText.percent(level.interval.upperBound, 3),
                level.isInside ? "inside" : "OUTSIDE",
            ]
        }
        var lines = [
            "A/A comparisons: \(NumberText.counted(trial.saltCount, "salt")) split the same "
                + "\(NumberText.counted(trial.unitCount, "unit")) in halves"
        ]
        lines += TextCells.table([header] + rows, numbers: [0, 1, 2])
        if let uniformity = trial.uniformity {
            lines.append(
                "    p-values uniform (Kolmogorov–Smirnov): D = \(NumberText.fixed(uniformity.statistic, 4)), "
                    + "p = \(uniformity.pValue)")
        }
        return lines + histogram(trial)
    }

    private static func histogram(_ trial: SaltTrial) -> [String] {
        var counts = [Int](repeating: 0, count: bars)
        for value in trial.pValues { counts[min(Int(value * Double(bars)), bars - 1)] += 1 }
        let expected = Double(trial.saltCount) / Double(bars)
        return counts.enumerated().map { index, count in
            let length = min(Int(Double(count) / expected * Double(width) * 0.75 + 0.5), width)
            let range =
                "\(NumberText.fixed(Double(index) / Double(bars), 1)) to "
                + NumberText.fixed(Double(index + 1) / Double(bars), 1)
            return "    p \(range)  \(TextCells.right(NumberText.grouped(count), 7))  "
                + String(repeating: "█", count: length)
        }
    }
}
