import AllotConfiguration
import AllotCore
import AllotStatistics

/// A column of covariates: numbers as they are, or texts as indicators of their levels.
struct CovariateColumn: Sendable {
    let name: String
    /// By unit; NaN for a missing number.
    private var numbers: [Double] = []
    /// By unit the level plus 1; 0 for a missing text.
    private var codes: [UInt8] = []
    private var levels: [String] = []
    private var known: [UInt64: UInt8] = [:]
    private var isNumeric = true
    private var isText = true

    /// The most levels of a text.
    static let mostLevels = 50

    init(_ name: String) {
        self.name = name
    }

    /// Takes the value of the next unit. Returns `false` if the column has too many texts, and is not one of numbers.
    mutating func append(_ value: Span<UInt8>) -> Bool {
        if isNumeric {
            if value.isEmpty {
                numbers.append(.nan)
            } else if let number = Double(metric: value) {
                numbers.append(number)
            } else {
                (isNumeric, numbers) = (false, [])
            }
        }
        if isText { appendCode(value) }
        return isNumeric || isText
    }

    private mutating func appendCode(_ value: Span<UInt8>) {
        guard !value.isEmpty else { return codes.append(0) }
        let hash = ByteHash.hash(value)
        if let code = known[hash] { return codes.append(code) }
        guard levels.count < Self.mostLevels else {
            (isText, codes) = (false, [])
            return
        }
        levels.append(value.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
        known[hash] = UInt8(levels.count)
        codes.append(UInt8(levels.count))
    }

    /// The codes that some units have, in byte order of the levels; that of missing texts is the last one.
    private func order(of units: [Int]) -> [Int] {
        var isPresent = [Bool](repeating: false, count: levels.count + 1)
        for unit in units { isPresent[Int(codes[unit])] = true }
        let present = levels.indices.filter { isPresent[$0 + 1] }
        let sorted = present.sorted { UTF8Order.precedes(levels[$0], levels[$1]) }.map { $0 + 1 }
        return sorted + (isPresent[0] ? [0] : [])
    }

    /// Adds the covariates that the column is for some units to columns of sums.
    ///
    /// - Returns: By covariate its name, and whether the others of the column determine it.
    func add(_ units: [Int], to columns: inout SummedColumns) -> [(name: String, isReference: Bool)] {
        let missing = "\(name) missing"
        guard isNumeric else {
            let order = order(of: units)
            var places = [UInt16](repeating: 0, count: levels.count + 1)
            for (place, code) in order.enumerated() { places[code] = UInt16(columns.levelCount + place) }
            columns.levels.append(units.map { places[Int(codes[$0])] })
            columns.levelCount += order.count
            return order.enumerated().map { place, code in
                (code == 0 ? missing : "\(name) = \(levels[code - 1])", place == order.count - 1)
            }
        }
        // Around the first number, so that equal ones are exactly 0 from their mean.
        let first = units.first { !numbers[$0].isNaN }.map { numbers[$0] } ?? 0
        var (sum, count) = (0.0, 0)
        for unit in units where !numbers[unit].isNaN { (sum, count) = (sum + (numbers[unit] - first), count + 1) }
        let mean = first + sum / Double(max(count, 1))
        columns.numbers.append(units.map { numbers[$0].isNaN ? 0 : numbers[$0] - mean })
        guard count < units.count else { return [(name, false)] }
        columns.numbers.append(units.map { numbers[$0].isNaN ? 1 : 0 })
        return [(name, false), (missing, false)]
    }
}

/// The covariates of some units, and their whitened form.
struct Covariates: Sendable {
    let names: [String]
    let whitening: Whitening
    /// Their columns, in another order: that of the columns of numbers, and then of texts.
    let columns: SummedColumns
    /// By covariate, the place of its sum among those of ``columns``.
    private let places: [Int]
    /// Covariates that others determine, other than the last level of a text.
    let dropped: [String]

    /// The most covariates: the matrix of their products has the square of this many numbers.
    private static let most = 2000

    /// Reads the covariates of units from their columns.
    ///
    /// - Throws: If a covariate has one value for all units.
    init(_ columns: [CovariateColumn], of units: [Int]) throws(AnalysisError) {
        var summed = SummedColumns()
        var all: [(name: String, isReference: Bool)] = []
        var numbers: [Int] = []
        var levels: [Int] = []
        for column in columns {
            let textCount = summed.levels.count
            let added = column.add(units, to: &summed)
            let indices = all.count..<all.count + added.count
            if summed.levels.count > textCount { levels += indices } else { numbers += indices }
            all += added
            guard all.count <= Self.most else {
                throw AnalysisError(
                    "there are more than \(Self.most) covariates with the levels of texts; balance fewer columns, or "
                        + "texts of fewer levels")
            }
        }
        var places = [Int](repeating: 0, count: all.count)
        for (place, covariate) in (numbers + levels).enumerated() { places[covariate] = place }
        let width = all.count
        let (means, products) = summed.moments()
        var ordered = [Double](repeating: 0, count: width * width)
        for (row, place) in places.enumerated() {
            for column in 0...row {
                let (low, high) = (min(place, places[column]), max(place, places[column]))
                ordered[row * width + column] = products[high * width + low]
            }
        }
        names = all.map(\.name)
        do throws(Whitening.Fault) {
            whitening = try Whitening(means: places.map { means[$0] }, products: ordered, count: units.count)
        } catch {
            let name = QuotedText(all[error.column].name)
            let units = units.count == 1 ? "the one unit" : "all \(units.count) units"
            throw AnalysisError(
                error.isConstant
                    ? "the covariate \(name) has one value for \(units), so that there is nothing to balance; leave it "
                        + "out" : "the numbers of the covariate \(name) are too large; divide them by a constant")
        }
        (self.columns, self.places) = (summed, places)
        dropped = whitening.dropped.filter { !all[$0].isReference }.map { all[$0].name }
    }

    /// The sums of the whitened columns of each arm.
    func whitened(_ sums: ArmSums.Sums) -> [[Double]] {
        zip(sums.sums, sums.counts).map { sums, count in whitening.whitened(places.map { sums[$0] }, count: count) }
    }

    /// By arm, the means of the covariates in standard deviations from those of all units.
    func standardised(_ sums: ArmSums.Sums) -> [[Double]] {
        zip(sums.sums, sums.counts).map { sums, count in
            whitening.standardised(places.map { sums[$0] }, count: count).map { $0 / max(count, 1) }
        }
    }

    /// The whitened columns of each unit, one unit after another.
    func whitenedUnits() -> [Double] {
        (0..<columns.unitCount).flatMap { unit in
            let values = columns.values(of: unit)
            return whitening.whitened(places.map { values[$0] }, count: 1)
        }
    }

    /// A note on covariates that count once only.
    var note: String? {
        guard !dropped.isEmpty else { return nil }
        let names = dropped.map { QuotedText($0).description }.joined(separator: ", ")
        return dropped.count == 1
            ? "\(names) is determined by the other covariates, and counts with them"
            : "\(names) are determined by the other covariates, and count with them"
    }
}
