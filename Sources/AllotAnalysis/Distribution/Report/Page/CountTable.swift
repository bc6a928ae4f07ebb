import AllotStatistics

/// The counts and tests of all randomisations of a sample as a table.
struct CountTable {
    private let divisions: [DivisionResult]
    private let alarm: PValue

    private static let head = [
        "", "randomisation", "units", "share", "expected", "deviation", "σ", "p shares", "p first", "p second",
        "p independent",
    ]

    init(_ divisions: [DivisionResult], alarmLevel: Double) {
        self.divisions = divisions
        alarm = PValue(alarmLevel)
    }

    func write(in markup: inout Markup) {
        markup.element("div", ["class": "scroll"]) { markup in
            markup.element("table") { markup in
                markup.element("thead") { $0.row("th", Self.head, textColumns: [1]) }
                for (index, division) in divisions.enumerated() {
                    markup.element("tbody", ["class": "group"]) { write(division, number: index + 1, &$0) }
                    markup.endLine()
                }
            }
        }
        markup.element(
            "p", ["class": "faint"],
            "Deviations are in percentage points, and in standard deviations σ of chance. The p-values, uncorrected: "
                + "counts against shares; uniformity of the first buckets and of the second ones over up to 1,000 cells; "
                + "independence of first and second bucket.")
    }

    private func write(_ division: DivisionResult, number: Int, _ markup: inout Markup) {
        let tests = [
            division.shares, division.firstBuckets?.test, division.secondBuckets?.test, division.independence,
        ]
        markup.element("tr") { markup in
            markup.element("td", "\(number)")
            markup.element("td", ["class": "text"], division.randomisation.label)
            for _ in 0..<5 { markup.element("td", "") }
            for test in tests {
                let isBad = test.map { $0.adjustedPValue < alarm } ?? false
                markup.element("td", isBad ? ["class": "bad"] : [:], test.map { "\($0.pValue)" } ?? "–")
            }
        }
        for category in division.categories {
            markup.row(
                "td",
                [
                    "", category.name, NumberText.grouped(category.count),
                    NumberText.fixed(category.share * 100, 3) + "%",
                    NumberText.percent(category.shareNumerator, of: category.shareDenominator),
                    NumberText.signed((category.share - category.expectedShare) * 100, 3),
                    NumberText.signed(category.standardScore, 1),
                ], textColumns: [1])
        }
    }
}
