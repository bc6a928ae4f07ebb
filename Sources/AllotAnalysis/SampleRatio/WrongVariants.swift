import AllotConfiguration
import AllotStatistics
import RealModule

/// Units with another variant than the one that Allot computes for them: how many, since when, where, and what the
/// labels became.
struct WrongVariants: Sendable, Hashable {
    enum Labels: String, Sendable {
        /// Each recorded label stands for one variant.
        case renamed
        /// Recorded and computed variants agree no more than by chance.
        case unrelated
        case moves
    }

    /// A change from the computed variant (`nil` where no variant owns the bucket) to the recorded one.
    struct Move: Sendable, Hashable {
        let from: String?
        let to: String
        /// The number of units; `nil` where nearly all have it.
        var count: Int?
    }

    /// The values of one attribute that hold nearly all wrong variants.
    struct Source: Sendable, Hashable {
        let attribute: String
        let values: [String?]
        /// Units and those with a wrong variant, with one of the values.
        let inside: [Int]
    }

    /// Units with a wrong variant in some row, of all units of the period.
    let unitCount: Int
    let presentCount: Int
    /// The share of wrong units that is certainly exceeded: a Clopper–Pearson bound.
    let lowerBound: Double
    /// Whether that is more than the share that is tolerated.
    let isAlarm: Bool
    /// The first and the last time of wrong variants, where they are of a part of the time; empty for no limit.
    let since: String
    let until: String
    let source: Source?
    let labels: Labels
    let moves: [Move]

    var share: Double { Double(unitCount) / Double(max(presentCount, 1)) }

    /// - Parameters:
    ///   - sample: one record of each unit of a period, in two classes: right and wrong.
    ///   - recorded: the recorded variant of a record, and the computed one, `nil` for none.
    init(
        _ sample: RecordSample, variants: [String], _ attributes: RecordAttributes, tolerated: Double,
        confidence: Double, of record: (Int) -> (recorded: Int, own: Int?)
    ) {
        let counts = sample.counts
        (unitCount, presentCount) = (counts[1], counts[0] + counts[1])
        let bounds = ProportionInterval.clopperPearson(
            successes: counts[1], trials: presentCount, confidence: confidence)
        (lowerBound, isAlarm) = (bounds.lowerBound, bounds.lowerBound > tolerated)
        guard isAlarm else {
            (since, until, source) = ("", "", nil)
            (labels, moves) = counts[1] > 0 ? Self.labels(sample, variants, record) : (.moves, [])
            return
        }
        let window = Self.window(sample, attributes.ledger)
        (since, until) = (window?.since?.text ?? "", window?.until?.text ?? "")
        // Labels where the fault is: elsewhere they are right.
        var part = sample
        if let window {
            part = part.filter { record in
                let moment = attributes.ledger.records[record].moment
                return window.since.map { $0 <= moment } ?? true && window.until.map { moment <= $0 } ?? true
            }
        }
        source = Self.source(attributes.tables(part))
        if let source { part = part.filter(attributes.holder(of: source.attribute, source.values)) }
        (labels, moves) = Self.labels(part, variants, record)
    }

    // MARK: When

    /// The times between which wrong variants are much more frequent than otherwise; `nil` if there are none. This
    /// is the run with the largest sum of (wrong - mean), if rates inside and outside differ far more than by chance.
    private static func window(_ sample: RecordSample, _ ledger: ExposureLedger) -> (since: Moment?, until: Moment?)? {
        var rows = sample.records.indices.map { index in
            (moment: ledger.records[Int(sample.records[index])].moment, isWrong: sample.classes[index] == 1)
        }
        rows.removeAll { $0.moment == .unknown }
        rows.sort { $0.moment < $1.moment }
        let wrongCount = rows.count { $0.isWrong }
        guard wrongCount > 0, wrongCount < rows.count else { return nil }
        let mean = Double(wrongCount) / Double(rows.count)
        var (sum, best, start) = (0.0, 0.0, 0)
        var run = 0..<0
        var index = 0
        while index < rows.count {
            // Rows of one time are taken together.
            var (end, wrong) = (index, 0)
            while end < rows.count, rows[end].moment == rows[index].moment {
                wrong += rows[end].isWrong ? 1 : 0
                end += 1
            }
            if sum <= 0 { (sum, start) = (0, index) }
            sum += Double(wrong) - mean * Double(end - index)
            if sum > best { (best, run) = (sum, start..<end) }
            index = end
        }
        let inside = (wrong: rows[run].count { $0.isWrong }, of: run.count)
        let all = (wrong: wrongCount, of: rows.count)
        guard let rates = contrast(inside, among: all), rates.inside >= 2 * rates.outside else { return nil }
        // The run begins and ends with a wrong variant. So few units before or after it that none of them need be wrong
        // say nothing.
        guard let first = rows[run].first(where: \.isWrong), let last = rows[run].last(where: \.isWrong) else {
            return nil
        }
        let before = Double(rows.count { $0.moment < first.moment })
        let after = Double(rows.count { $0.moment > last.moment })
        let since = before * rates.inside < telling ? nil : first.moment
        let until = after * rates.inside < telling ? nil : last.moment
        return since == nil && until == nil ? nil : (since, until)
    }

    /// Far beyond what the best of all runs gains by chance.
    private static let leastGain = 15.0
    private static let telling = 10.0

    /// The rates of wrong variants in a part and in the rest; `nil` unless they differ by far more than by chance.
    private static func contrast(
        _ inside: (wrong: Int, of: Int), among all: (wrong: Int, of: Int)
    ) -> (inside: Double, outside: Double)? {
        func logLikelihood(_ wrong: Int, _ trials: Int) -> Double {
            [wrong, trials - wrong].reduce(0.0) { sum, count in
                count == 0 ? sum : sum + Double(count) * .log(Double(count) / Double(trials))
            }
        }
        let outside = (wrong: all.wrong - inside.wrong, of: all.of - inside.of)
        guard inside.of > 0, outside.of > 0 else { return nil }
        let gain =
            logLikelihood(inside.wrong, inside.of) + logLikelihood(outside.wrong, outside.of)
            - logLikelihood(all.wrong, all.of)
        guard gain >= leastGain else { return nil }
        return (Double(inside.wrong) / Double(inside.of), Double(outside.wrong) / Double(outside.of))
    }

    // MARK: Where

    private static func source(_ tables: [ValueTable]) -> Source? {
        var best: (source: Source, rate: Double)?
        func sum(_ values: [(text: String?, counts: [Int])]) -> (wrong: Int, of: Int) {
            values.reduce((wrong: 0, of: 0)) { ($0.wrong + $1.counts[1], $0.of + $1.counts[0] + $1.counts[1]) }
        }
        for table in tables {
            let all = sum(table.values)
            let mean = Double(all.wrong) / Double(max(all.of, 1))
            let bad = table.values.filter { Double($0.counts[1]) > mean * Double($0.counts[0] + $0.counts[1]) }
            let inside = sum(bad)
            guard let rates = contrast(inside, among: all), rates.outside <= rates.inside / 10,
                rates.inside > best?.rate ?? 0
            else { continue }
            let source = Source(attribute: table.name, values: bad.map(\.text), inside: [inside.of, inside.wrong])
            best = (source, rates.inside)
        }
        return best?.source
    }

    // MARK: What

    private static let nearlyAll = 0.9
    /// Agreement beyond chance (Cohen's kappa) below which variants were assigned in another way.
    private static let noAgreement = 0.2
    private static let largestShift = 0.25
    static let shownMoves = 3

    private static func labels(
        _ sample: RecordSample, _ variants: [String], _ record: (Int) -> (recorded: Int, own: Int?)
    ) -> (Labels, [Move]) {
        let table = table(sample, variants.count, record)
        if let names = renamed(table) {
            return (.renamed, names.map { Move(from: variants[$0.own], to: variants[$0.recorded]) })
        }
        if isByChance(table) { return (.unrelated, []) }
        let sorted = moves(table, variants).sorted {
            ($1.count ?? 0, $0.to, $0.from ?? "") < ($0.count ?? 0, $1.to, $1.from ?? "")
        }
        return (.moves, Array(sorted.prefix(shownMoves)))
    }

    /// By recorded variant, the number of records for which each variant, and at last none, is computed.
    static func table(_ sample: RecordSample, _ count: Int, _ record: (Int) -> (recorded: Int, own: Int?)) -> [[Int]] {
        var table = Array(repeating: Array(repeating: 0, count: count + 1), count: count)
        for place in sample.records {
            let (recorded, own) = record(Int(place))
            table[recorded][own ?? count] += 1
        }
        return table
    }

    static func moves(_ table: [[Int]], _ variants: [String]) -> [Move] {
        table.enumerated().flatMap { recorded, row in
            row.indices.filter { row[$0] > 0 && $0 != recorded }.map { own in
                Move(from: own < variants.count ? variants[own] : nil, to: variants[recorded], count: row[own])
            }
        }
    }

    /// The variants that recorded labels stand for, if nearly all units of each are those of one variant, and of
    /// another each time; those with their own name are left out.
    private static func renamed(_ table: [[Int]]) -> [(recorded: Int, own: Int)]? {
        var names: [(recorded: Int, own: Int)] = []
        for (recorded, row) in table.enumerated() where row.contains(where: { $0 > 0 }) {
            guard let most = row.dropLast().indices.max(by: { row[$0] < row[$1] }),
                Double(row[most]) >= nearlyAll * Double(row.reduce(0, +)), !names.contains(where: { $0.own == most })
            else { return nil }
            names.append((recorded, most))
        }
        let others = names.filter { $0.recorded != $0.own }
        return others.isEmpty ? nil : others
    }

    private static func isByChance(_ table: [[Int]]) -> Bool {
        let recorded = table.map { Double($0.reduce(0, +)) }
        let total = recorded.reduce(0, +)
        // Where all units have one label, agreement is that of chance and says nothing.
        guard recorded.count(where: { $0 > 0 }) > 1 else { return false }
        let own = table.indices.map { own in table.reduce(0.0) { $0 + Double($1[own]) } }
        // A new draw keeps the shares; moves in one direction do not.
        let difference = zip(recorded, own).reduce(0.0) { $0 + abs($1.0 - $1.1) } / 2
        guard difference <= largestShift * total else { return false }
        let agreed = table.indices.reduce(0.0) { $0 + Double(table[$1][$1]) }
        let byChance = zip(recorded, own).reduce(0.0) { $0 + $1.0 * $1.1 / total }
        return byChance < total && (agreed - byChance) / (total - byChance) < noAgreement
    }
}
