/// Columns of units that are summed over arms: numbers, and texts, whose sums are the counts of their levels.
struct SummedColumns: Sendable {
    /// By column of numbers, by unit.
    var numbers: [[Double]] = []
    /// By column of texts, by unit the place of its level among those of all texts.
    var levels: [[UInt16]] = []
    /// The number of levels of all texts.
    var levelCount = 0

    /// The number of sums: those of the numbers, and then those of the levels.
    var width: Int { numbers.count + levelCount }
    var unitCount: Int { numbers.first?.count ?? levels.first?.count ?? 0 }

    /// The columns of some units.
    func selecting(_ units: [Int]) -> SummedColumns {
        var columns = self
        columns.numbers = numbers.map { column in units.map { column[$0] } }
        columns.levels = levels.map { column in units.map { column[$0] } }
        return columns
    }

    /// Additions of a unit to each of the sums.
    func values(of unit: Int) -> [Double] {
        var values = numbers.map { $0[unit] } + Array(repeating: 0, count: levelCount)
        for column in levels { values[numbers.count + Int(column[unit])] = 1 }
        return values
    }

    /// The means of the additions of units, and the sums of the products of deviations from them: one row of the matrix
    /// after another, up to its diagonal. Complexity: O(units × columns²), however many levels the columns have.
    func moments() -> (means: [Double], products: [Double]) {
        let (width, count) = (width, numbers.count)
        let units = Double(max(unitCount, 1))
        var means = numbers.map { $0.reduce(0, +) / units } + Array(repeating: 0, count: levelCount)
        var products = [Double](repeating: 0, count: width * width)
        var centred = [Double](repeating: 0, count: count)
        for unit in 0..<unitCount {
            for column in 0..<count {
                centred[column] = numbers[column][unit] - means[column]
                for other in 0...column { products[column * width + other] += centred[column] * centred[other] }
            }
            for (index, column) in levels.enumerated() {
                let row = (count + Int(column[unit])) * width
                for other in 0..<count { products[row + other] += centred[other] }
                for other in 0...index { products[row + count + Int(levels[other][unit])] += 1 }
            }
        }
        for level in count..<width { means[level] = products[level * width + level] / units }
        for level in count..<width {
            for other in count...level { products[level * width + other] -= units * means[level] * means[other] }
        }
        return (means, products)
    }
}
