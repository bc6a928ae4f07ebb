import AllotReports
import AllotStatistics

/// All pairs of randomisations as a triangle of cells, coloured by p-value.
struct PairHeatMap {
    enum Shade: String, CaseIterable {
        case ordinary = "p ≥ 0.1"
        case low = "0.01 ≤ p < 0.1"
        case lower = "0.001 ≤ p < 0.01"
        case lowest = "p < 0.001"
        case failing = "dependent, after Holm's correction"
        case sharedSalt = "one salt"
        case untested = "not tested"

        var style: String { "p\(Self.allCases.firstIndex(of: self) ?? 0)" }

        init(_ pair: PairResult, alarm: PValue) {
            switch pair.test {
            case _ where pair.sharesSalt: self = .sharedSalt
            case nil: self = .untested
            case let test? where test.adjustedPValue < alarm: self = .failing
            case let test? where test.pValue < PValue(0.001): self = .lowest
            case let test? where test.pValue < PValue(0.01): self = .lower
            case let test? where test.pValue < PValue(0.1): self = .low
            default: self = .ordinary
            }
        }
    }

    private let sample: DistributionSample
    private let shades: [Shade]
    /// Up to this many rows have names; beyond them every tenth has a number.
    private static let mostNamed = 45
    private static let mostWidth = 640.0
    private static let longestName = 26

    init(_ sample: DistributionSample, alarm: PValue) {
        self.sample = sample
        shades = sample.pairs.map { Shade($0, alarm: alarm) }
    }

    private var count: Int { sample.divisions.count }
    var isNamed: Bool { count <= Self.mostNamed }
    private var cell: Double { min(24, Self.mostWidth / Double(max(count, 1))) }
    private var labelWidth: Double { isNamed ? 230 : 40 }

    private var legend: [(shade: Shade, count: Int)] {
        Shade.allCases.map { shade in (shade, shades.count { $0 == shade }) }.filter { $0.1 > 0 }
    }

    func draw(in markup: inout Markup) {
        let side = cell * Double(count)
        markup.picture(width: labelWidth + side + 20, height: side + 44, "The p-values of all pairs") { markup in
            if isNamed { drawCells(&markup) } else { drawRuns(&markup) }
            drawLabels(&markup)
        }
        markup.element("ul", ["class": "legend"]) { markup in
            for (shade, count) in legend {
                markup.element("li") { markup in
                    markup.element("span", ["class": "key \(shade.style)"], "")
                    markup.write("\(shade.rawValue): \(NumberFormat.countedInGroups(count, "pair"))")
                }
            }
        }
    }

    private func drawCells(_ markup: inout Markup) {
        for (pair, shade) in zip(sample.pairs, shades) {
            let names = [pair.left, pair.right].map { sample.divisions[$0].randomisation.label }
            let tested = pair.test.map { "p = \($0.pValue), φ = \(NumberFormat.signed(pair.phi, 5))" }
            markup.rectangle(
                shade.style, x: x(pair.left), y: y(pair.right), width: cell - 1, height: cell - 1,
                title: "\(names[0]) × \(names[1]): \(tested ?? shade.rawValue)")
        }
    }

    /// Neighbours of one shade in a row together: thousands of cells take little space.
    private func drawRuns(_ markup: inout Markup) {
        var grid = [[Shade?]](repeating: Array(repeating: nil, count: count), count: count)
        for (pair, shade) in zip(sample.pairs, shades) { grid[pair.right][pair.left] = shade }
        for shade in Shade.allCases {
            var path = ""
            for row in 1..<count {
                var column = 0
                while column < row {
                    let start = column
                    while column < row, grid[row][column] == shade { column += 1 }
                    if column > start { path += "M\(start) \(row)h\(column - start)v1h-\(column - start)z" }
                    column = max(column, start + 1)
                }
            }
            guard !path.isEmpty else { continue }
            let scale = "translate(\(PlotFrame.text(labelWidth)) \(PlotFrame.text(y(0)))) scale(\(cell))"
            markup.element("path", ["class": shade.style, "d": path, "transform": scale])
        }
    }

    private func drawLabels(_ markup: inout Markup) {
        for index in 0..<count where isNamed || (index + 1) % 10 == 0 || index == 0 {
            let name = isNamed ? "\(shortName(index)) \(index + 1)" : "\(index + 1)"
            markup.label(name, x: labelWidth - 6, y: y(index) + cell / 2 + 4, anchor: "end")
            guard isNamed || (index + 1) % 20 == 0 || index == 0 else { continue }
            let (middle, below) = (PlotFrame.text(x(index) + cell / 2), PlotFrame.text(y(count) + 14))
            let style = isNamed && cell < 20 ? "small" : ""
            markup.element("text", ["x": middle, "y": below, "text-anchor": "middle", "class": style], "\(index + 1)")
        }
    }

    private func shortName(_ index: Int) -> String {
        let name = sample.divisions[index].randomisation.title
        return name.count > Self.longestName ? name.prefix(Self.longestName - 1) + "…" : name
    }

    private func x(_ index: Int) -> Double { labelWidth + Double(index) * cell }
    private func y(_ index: Int) -> Double { 8 + Double(index) * cell }
}
