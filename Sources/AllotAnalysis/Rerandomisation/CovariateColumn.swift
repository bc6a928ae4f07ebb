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

    /// The covariates that the column is for some units: their names, and whether the others of the column determine
    /// them.
    func covariates(of units: [Int]) -> [(name: String, isReference: Bool)] {
        let missing = "\(name) missing"
        if isNumeric { return [(name, false)] + (lacksNumber(units) ? [(missing, false)] : []) }
        let names = order(of: units).map { $0 == 0 ? missing : "\(name) = \(levels[$0 - 1])" }
        return names.enumerated().map { ($1, $0 == names.count - 1) }
    }

    private func lacksNumber(_ units: [Int]) -> Bool { units.contains { numbers[$0].isNaN } }

    /// The codes that some units have, in byte order of the levels; that of missing texts is the last one.
    private func order(of units: [Int]) -> [Int] {
        var isPresent = [Bool](repeating: false, count: levels.count + 1)
        for unit in units { isPresent[Int(codes[unit])] = true }
        let present = levels.indices.filter { isPresent[$0 + 1] }
        let sorted = present.sorted { UTF8Order.precedes(levels[$0], levels[$1]) }.map { $0 + 1 }
        return sorted + (isPresent[0] ? [0] : [])
    }

    /// Writes the covariates of some units into rows.
    ///
    /// - Parameters:
    ///   - units: The units of the rows, in order.
    ///   - rows: One row after another, of zeros.
    ///   - width: The number of covariates in a row.
    ///   - start: The place of the first one of this column in a row.
    func write(_ units: [Int], into rows: inout [Double], width: Int, from start: Int) {
        guard isNumeric else {
            var places = [Int](repeating: 0, count: levels.count + 1)
            for (place, code) in order(of: units).enumerated() { places[code] = place }
            for (row, unit) in units.enumerated() { rows[row * width + start + places[Int(codes[unit])]] = 1 }
            return
        }
        // Around the first number, so that the mean of equal ones is exactly theirs.
        let first = units.first { !numbers[$0].isNaN }.map { numbers[$0] } ?? 0
        var (sum, count) = (0.0, 0)
        for unit in units where !numbers[unit].isNaN { (sum, count) = (sum + (numbers[unit] - first), count + 1) }
        let mean = first + sum / Double(max(count, 1))
        let hasMissing = lacksNumber(units)
        for (row, unit) in units.enumerated() {
            let isMissing = numbers[unit].isNaN
            rows[row * width + start] = isMissing ? mean : numbers[unit]
            if hasMissing, isMissing { rows[row * width + start + 1] = 1 }
        }
    }
}

/// The covariates of some units, and their whitened form.
struct Covariates: Sendable {
    let names: [String]
    let whitening: Whitening
    /// The whitened columns, one unit after another.
    let whitened: [Double]
    /// Covariates that others determine, other than the last level of a text.
    let dropped: [String]

    /// Reads the covariates of units from their columns.
    ///
    /// - Throws: If a covariate has one value for all units.
    init(_ columns: [CovariateColumn], of units: [Int]) throws(AnalysisError) {
        let covariates = columns.map { $0.covariates(of: units) }
        let width = covariates.reduce(0) { $0 + $1.count }
        var rows = [Double](repeating: 0, count: units.count * width)
        var start = 0
        for (column, covariates) in zip(columns, covariates) {
            column.write(units, into: &rows, width: width, from: start)
            start += covariates.count
        }
        let all = covariates.flatMap(\.self)
        names = all.map(\.name)
        do throws(Whitening.Fault) {
            whitening = try Whitening(rows: rows, width: width)
        } catch {
            let name = QuotedText(all[error.column].name)
            let units = units.count == 1 ? "the one unit" : "all \(units.count) units"
            throw AnalysisError(
                error.isConstant
                    ? "the covariate \(name) has one value for \(units), so that there is nothing to balance; leave it "
                        + "out" : "the numbers of the covariate \(name) are too large; divide them by a constant")
        }
        whitened = whitening.whitened(rows)
        dropped = whitening.dropped.filter { !all[$0].isReference }.map { all[$0].name }
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
