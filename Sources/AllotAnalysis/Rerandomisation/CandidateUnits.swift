import AllotBatch
import AllotConfiguration
import AllotCore

/// The units of a file that an experiment could enrol, with covariates: they pass every check but those of the salt.
struct CandidateUnits: Sendable {
    private(set) var units = UnitBlock()
    private(set) var columns: [CovariateColumn]
    /// The number of rows that the experiment could not enrol, by reason.
    private(set) var refused: [Reason: Int] = [:]
    /// By other running experiment its index, and for each unit the variant plus 1, 0 for none.
    private(set) var others: [(experiment: Int, variants: [UInt8])] = []
    private(set) var doubts: [String] = []
    let missingAttributes: [String]
    /// By hash of the unit ID its line, and its index plus 1, 0 for a unit that is refused.
    private var places: [UInt64: (line: Int, index: Int)] = [:]

    var count: Int { units.count }

    /// Reads units.
    ///
    /// - Parameters:
    ///   - rows: The file.
    ///   - unit: The name of the unit, of one attribute or of several.
    ///   - column: The name of the column of unit IDs, if it is another one.
    ///   - covariates: The names of the columns of covariates.
    ///   - decider: Decides which units could be enrolled; `nil` for all.
    init(
        _ rows: consuming CSVRows, unit: String, column: String?, option: String?, covariates: [String],
        decider: CandidateDecider?
    ) throws {
        var rows = rows
        let unitColumns = try UnitColumns(of: unit, in: rows.header, rows.name, column: column, for: option)
        var indices: [Int] = []
        for name in covariates { indices.append(try rows.header.index(of: name, in: rows.name, for: "a covariate")) }
        columns = covariates.map(CovariateColumn.init)
        var decider = decider
        try decider?.start(rows.header, in: rows.name)
        others = decider?.others.map { ($0, []) } ?? []
        rows.unitColumns = unitColumns.columns
        while try rows.next() {
            guard let id = unitColumns.id(of: rows) else {
                refused[.noUnit, default: 0] += 1
                continue
            }
            let hash = ByteHash.hash(id.span)
            if let earlier = places[hash] {
                throw rows.error(
                    in: unitColumns.columns[0],
                    "the unit \(QuotedText(String(decoding: id, as: UTF8.self))) is also on line \(earlier.line); "
                        + "keep one row of each unit")
            }
            let reason = decider?.decide(id.span, rows) ?? .split
            guard reason == .split else {
                refused[reason, default: 0] += 1
                places[hash] = (rows.line, 0)
                continue
            }
            units.append(id)
            places[hash] = (rows.line, units.count)
            for (index, column) in indices.enumerated() {
                guard columns[index].append(rows.bytes.span.extracting(rows[column])) else {
                    throw rows.error(
                        in: column,
                        "\(QuotedText(rows.text(column))) is not a number, and \(QuotedText(covariates[index])) has "
                            + "more than \(CovariateColumn.mostLevels) different texts; balance numbers, or texts of "
                            + "few levels")
                }
            }
            for index in others.indices {
                others[index].variants.append(decider?.variant(of: others[index].experiment) ?? 0)
            }
        }
        doubts = rows.doubts.sentences
        missingAttributes = decider?.missingAttributes ?? []
    }

    /// The index of a unit; `nil` if the file does not have it, and -1 if the experiment could not enrol it.
    func index(of id: Span<UInt8>) -> Int? {
        places[ByteHash.hash(id)].map { $0.index - 1 }
    }

    /// The units of some indices, in blocks that fit into the caches together with their rows.
    func blocks(of indices: [Int]) -> [UnitBlock] {
        stride(from: 0, to: indices.count, by: ArmSums.blockLength).map { start in
            var block = UnitBlock()
            for index in indices[start..<min(start + ArmSums.blockLength, indices.count)] {
                block.append(units.bytes[units[index]])
            }
            return block
        }
    }

    /// Sentences on the rows that are left out, and on attributes that the file lacks.
    var notes: [String] {
        var notes = doubts
        let reasons = refused.sorted { $0.key.rawValue < $1.key.rawValue }
        let all = reasons.reduce(0) { $0 + $1.value }
        if all > 0 {
            let parts = reasons.map { "\($0.key.text) \($0.value)" }.joined(separator: ", ")
            notes.append(
                "\(all == 1 ? "1 row is of a unit" : "\(all) rows are of units") that could not be enrolled, by "
                    + "reason: \(parts)")
        }
        if !missingAttributes.isEmpty {
            let names = missingAttributes.map { QuotedText($0).description }.joined(separator: ", ")
            notes.append("the file has no column \(names), so that these attributes count as missing")
        }
        return notes
    }
}

/// Decides which units an experiment could enrol under any salt: as if it ran, with all of its traffic.
struct CandidateDecider: Sendable {
    private let plan: Plan
    private let experiment: Int
    private let instant: Instant
    /// The names of attributes by those of their columns.
    private let attributes: [String: String]
    /// Other running experiments that randomise the same units by another salt.
    let others: [Int]
    private var check: RepeatedDecision?

    /// - Parameter columns: By attribute the name of its column, if it is another one.
    init(_ plan: Plan, experiment: Int, at instant: Instant, columns: [String: String]) {
        let own = plan.experiments[experiment]
        (self.plan, self.experiment, self.instant) = (plan.admittingAll(of: experiment), experiment, instant)
        attributes = Dictionary(columns.map { ($0.value, $0.key) }) { first, _ in first }
        others = plan.experiments.indices.filter { index in
            let other = plan.experiments[index]
            return index != experiment && other.isRandomised
                && (other.starts.map { $0 <= instant } ?? true) && (other.ends.map { instant < $0 } ?? true)
                && other.unit == own.unit && (other.layer == nil || other.layer != own.layer)
                && !plan.order(of: [index]).contains(experiment) && (try? VariantShares(other)) != nil
                && other.variants.count < 255
        }
    }

    fileprivate mutating func start(_ header: CSVHeader, in file: String) throws {
        let columns = header.names.enumerated().map { (name: attributes[$1] ?? $1, column: $0) }
        check = RepeatedDecision(plan, experiment: experiment, others: others, attributes: columns)
    }

    fileprivate mutating func decide(_ id: Span<UInt8>, _ rows: borrowing CSVRows) -> Reason {
        check?.decide(rows, unit: id, at: instant) ?? .noUnit
    }

    /// The variant of another experiment for the unit that was decided last, plus 1; 0 for none.
    fileprivate func variant(of other: Int) -> UInt8 {
        guard let decision = check?.decision(of: other), decision.reason == .split else { return 0 }
        return UInt8((decision.variant ?? -1) + 1)
    }

    fileprivate var missingAttributes: [String] { check?.missingAttributes ?? [] }
}
