/// A histogram of buckets for a terminal: bars of deviations, as the counts themselves would look alike.
enum BucketHistogramText {
    /// Bars end at so many standard deviations, each of so many characters.
    private static let deviations = 4
    private static let charactersPerDeviation = 4

    static func lines(of result: UniformityResult) -> [String] {
        let meaning = result.bucket == .first ? "enrolment, slots, holdouts" : "variants"
        let cells = "\(NumberText.grouped(result.drawCount)) draws over \(NumberText.grouped(result.cellCount)) cells"
        let half = deviations * charactersPerDeviation
        let width = NumberText.grouped(result.bucketCount).count
        let countWidth = result.histogram.map { NumberText.grouped($0).count }.max() ?? 0
        let scale =
            TextCells.right("-\(deviations)σ", 3) + TextCells.right("0", half - 2)
            + TextCells.right("+\(deviations)σ", half + 1)
        var lines = [
            "The \(result.bucket.rawValue) buckets (\(meaning)): \(cells), "
                + "\(NumberText.fixed(result.expectedPerCell, 1)) expected in each",
            "    \(TestText.text(result.test))",
            String(repeating: " ", count: 2 * width + 2 * countWidth / 2 + countWidth % 2 + 10) + scale,
        ]
        let step = result.bucketCount / result.histogram.count
        for (index, score) in result.histogramScores.enumerated() {
            let range =
                TextCells.right(NumberText.grouped(index * step), width) + "..<"
                + TextCells.left(NumberText.grouped((index + 1) * step), width)
            let count = TextCells.right(NumberText.grouped(result.histogram[index]), countWidth)
            lines.append("    \(range) \(count)  \(bar(score, half: half)) \(NumberText.signed(score, 1)) σ")
        }
        return lines
    }

    private static func bar(_ score: Double, half: Int) -> String {
        let length = min(Int(abs(score) * Double(charactersPerDeviation) + 0.5), half)
        let filled = String(repeating: "█", count: length)
        let empty = String(repeating: " ", count: half - length)
        let blank = String(repeating: " ", count: half)
        return score < 0 ? "\(empty)\(filled)|\(blank)" : "\(blank)|\(filled)\(empty)"
    }
}
