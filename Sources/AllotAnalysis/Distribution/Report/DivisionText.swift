/// The counts of one randomisation for a terminal.
enum DivisionText {
    static func lines(of division: DivisionResult) -> [String] {
        let most = division.largestDeviation
        let rows = division.categories.map { category in
            [
                category.name, NumberText.grouped(category.count), NumberText.fixed(category.share * 100, 3) + "%",
                "expected", NumberText.percent(category.shareNumerator, of: category.shareDenominator),
                NumberText.signed((category.share - category.expectedShare) * 100, 3) + "%",
                NumberText.signed(category.standardScore, 1) + " σ" + (category == most ? " (largest)" : ""),
            ]
        }
        var lines = ["  \(division.randomisation.label)"] + TextCells.table(rows, numbers: [1, 2, 4, 5])
        lines.append("    shares: \(TestText.text(division.shares))")
        var tests: [String] = []
        if let first = division.firstBuckets { tests.append(TestText.short("first buckets uniform", first.test)) }
        if let second = division.secondBuckets { tests.append(TestText.short("second", second.test)) }
        if tests.count == 2 { tests.append(TestText.short("independent", division.independence)) }
        if !tests.isEmpty { lines.append("    " + tests.joined(separator: "; ")) }
        return lines
    }
}
