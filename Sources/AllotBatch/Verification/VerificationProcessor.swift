@_spi(Groups) import Allot
import AllotConfiguration

/// Decides the rows of chunks, and compares them with what was recorded.
struct VerificationProcessor: ChunkProcessor {
    private let plan: Plan
    private let targets: VerificationTargets
    private var parser: CSVRecordParser
    private var evaluator: Evaluator
    private let emptyGroup: RowGroup
    private let hasUser: Bool
    private let key: @Sendable (String) -> String

    /// The kept fields of a row.
    private enum Kept {
        static let experiment = 0
        static let variant = 1
        static let unit = 2
    }

    init(
        _ verification: BatchVerification, columns: ColumnMap, places: RecordedColumns, targets: VerificationTargets
    ) {
        plan = verification.plan
        key = verification.key
        self.targets = targets
        parser = CSVRecordParser(columnCount: columns.columnCount)
        let unit = columns.userColumn ?? columns.unitColumns.lazy.compactMap { $0 }.first
        hasUser = unit != nil
        emptyGroup = RowGroup(
            columns, keeping: [places.experiment, places.variant] + (unit.map { [$0] } ?? []),
            for: plan)
        evaluator = Evaluator(
            plan: plan, at: verification.instant, selection: nil, groupSize: emptyGroup.capacity)
    }

    mutating func process(
        _ chunk: Span<UInt8>, into output: inout ChunkOutput
    ) throws(RowProblem) -> VerificationCounts {
        var counts = VerificationCounts()
        parser.start()
        var group = emptyGroup
        filling: while true {
            let stop = group.fill(&parser, chunk)
            if group.count > 0 { decide(&group, chunk, chunk, &counts) }
            switch stop {
            case .full: break
            case .end: break filling
            case .problem(let problem): throw problem
            case .noInstant: if let problem = group.time?.problem(parser, of: chunk) { throw problem }
            case .escapes:
                var bytes: [UInt8] = []
                group.append(unescaping: parser, of: chunk, to: &bytes)
                decide(&group, chunk, bytes.span, &counts)
            }
        }
        return counts
    }

    /// Decides and compares the rows of the group, and removes them.
    ///
    /// - Parameter bytes: what the values of the group point into.
    private mutating func decide(
        _ group: inout RowGroup, _ chunk: Span<UInt8>, _ bytes: Span<UInt8>, _ counts: inout VerificationCounts
    ) {
        if group.instants.isEmpty {
            evaluator.evaluate(group: group.count, group.values.span, bytes)
        } else {
            evaluator.evaluate(group: group.count, group.values.span, bytes, at: group.instants)
        }
        let decisions = evaluator.groupDecisions.span
        for row in 0..<group.count { compare(row, of: group, chunk, decisions, &counts) }
        group.removeAll()
    }

    private func compare(
        _ row: Int, of group: RowGroup, _ chunk: Span<UInt8>, _ decisions: Span<Decision>,
        _ counts: inout VerificationCounts
    ) {
        let (name, recorded) = (group.field(row, Kept.experiment), group.field(row, Kept.variant))
        // Fields with doubled quotes are seldom, and their bytes are not their text.
        if name.hasEscapes || recorded.hasEscapes {
            let nameBytes = Array(text(name, chunk).utf8)
            let recordedBytes = Array(text(recorded, chunk).utf8)
            compare(nameBytes.span, recordedBytes.span, row, of: group, chunk, decisions, &counts)
        } else {
            compare(
                chunk.extracting(name.range), chunk.extracting(recorded.range), row, of: group, chunk, decisions,
                &counts)
        }
    }

    private func compare(
        _ name: Span<UInt8>, _ recorded: Span<UInt8>, _ row: Int, of group: RowGroup, _ chunk: Span<UInt8>,
        _ decisions: Span<Decision>, _ counts: inout VerificationCounts
    ) {
        guard let target = targets.find(name) ?? renamed(name) else {
            return counts.add(difference(name, recorded, "", "unknown"), unit: unit(row, of: group, chunk))
        }
        counts.addNamed(target, of: targets.count)
        let (found, reason): (String, String)
        switch targets[target] {
        case .experiments(let experiments):
            // The one that assigns a variant, or else the first for which there is a unit.
            var deciding: (index: Int, decision: Decision)?
            for (index, keys) in experiments {
                let decision = decisions[group.decisionPlaces.of(index, row: row)]
                if let variant = decision.variant {
                    let key = keys[variant]
                    if Self.areEqual(key.span, recorded) || self.key(Self.text(recorded)).utf8.elementsEqual(key) {
                        return counts.addKept()
                    }
                    if deciding?.decision.variant == nil { deciding = (index, decision) }
                } else if deciding == nil, decision.reason != .noUnit {
                    deciding = (index, decision)
                }
            }
            guard let (index, decision) = deciding else { return counts.addWithoutUnit() }
            if decision.variant == nil, recorded.isEmpty { return counts.addKept() }
            found = decision.variant.map { plan.experiments[index].variants[$0].key } ?? ""
            reason = decision.reason.text
        case .setting(let base, let experiments):
            var (served, applying) = (base, -1)
            var hasUnit = experiments.isEmpty
            for (index, variants) in experiments {
                let decision = decisions[group.decisionPlaces.of(index, row: row)]
                if decision.reason != .noUnit { hasUnit = true }
                if let variant = decision.variant { (served, applying) = (variants[variant], index) }
            }
            guard hasUnit else { return counts.addWithoutUnit() }
            for text in served.texts where Self.areEqual(text.span, recorded) { return counts.addKept() }
            let text = Self.text(recorded)
            if let variant = served.key, key(text).utf8.elementsEqual(variant) { return counts.addKept() }
            if served.isWritten(as: text) { return counts.addKept() }
            found = String(decoding: served.texts.first ?? [], as: UTF8.self)
            reason =
                applying >= 0
                ? plan.experiments[applying].key
                : reasons(experiments.map { ($0.index, decisions[group.decisionPlaces.of($0.index, row: row)].reason) })
        }
        counts.add(difference(name, recorded, found, reason), unit: unit(row, of: group, chunk))
    }

    /// Why no experiment of a setting applies.
    private func reasons(_ experiments: [(index: Int, reason: Reason)]) -> String {
        var parts = experiments.prefix(4).map { "\(plan.experiments[$0.index].key): \($0.reason.text)" }
        if experiments.count > 4 { parts.append("…") }
        return parts.isEmpty ? "the base's value" : "no rule applies; \(parts.joined(separator: ", "))"
    }

    /// The target of a name that is not a key. Definitions have a valid key instead.
    private func renamed(_ name: Span<UInt8>) -> Int? {
        let other = Array(key(Self.text(name)).utf8)
        return targets.find(other.span)
    }

    private func difference(
        _ name: Span<UInt8>, _ recorded: Span<UInt8>, _ found: String, _ reason: String
    ) -> VerificationCounts.Key {
        .init(experiment: Self.text(name), recorded: Self.text(recorded), found: found, reason: reason)
    }

    private func unit(_ row: Int, of group: RowGroup, _ chunk: Span<UInt8>) -> String {
        hasUser ? text(group.field(row, Kept.unit), chunk) : ""
    }

    private func text(_ field: CSVField, _ chunk: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        field.appendValue(in: chunk, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        var copy: [UInt8] = []
        for index in bytes.indices { copy.append(bytes[index]) }
        return String(decoding: copy, as: UTF8.self)
    }

    private static func areEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }
}

/// The number of rows that agree, and those that differ.
struct VerificationCounts: BatchStatistics {
    /// A way in which rows differ.
    struct Key: Sendable, Hashable, Comparable {
        let experiment: String
        let recorded: String
        let found: String
        let reason: String

        static func < (left: Key, right: Key) -> Bool {
            let (left, right) = (left.texts, right.texts)
            for (one, other) in zip(left, right) where !UTF8Order.areEqual(one, other) {
                return UTF8Order.precedes(one, other)
            }
            return false
        }

        private var texts: [String] { [experiment, recorded, found, reason] }
    }

    struct Tally: Sendable {
        var count = 0
        var examples: [String] = []
    }

    private(set) var rowCount = 0
    private(set) var keptCount = 0
    /// The number of rows without the unit ID that decides, which prove nothing.
    private(set) var withoutUnitCount = 0
    /// The targets that rows name; empty before the first.
    private(set) var named: [Bool] = []
    private(set) var differences: [Key: Tally] = [:]

    private static let exampleLimit = 3
    /// Memory is bounded, whatever a file has in its columns: further differences are counted as one.
    private static let keyLimit = 10_000
    private static let further = Key(experiment: "(others)", recorded: "", found: "", reason: "others")

    @inline(__always)
    mutating func addNamed(_ target: Int, of count: Int) {
        if named.isEmpty { named = Array(repeating: false, count: count) }
        named[target] = true
    }

    mutating func addKept() {
        rowCount += 1
        keptCount += 1
    }

    mutating func addWithoutUnit() {
        rowCount += 1
        withoutUnitCount += 1
    }

    mutating func add(_ key: Key, unit: String) {
        rowCount += 1
        add(key, Tally(count: 1, examples: [unit]))
    }

    private mutating func add(_ key: Key, _ tally: Tally) {
        let key = differences[key] == nil && differences.count >= Self.keyLimit ? Self.further : key
        var sum = differences[key] ?? Tally()
        sum.count += tally.count
        sum.examples += tally.examples.prefix(max(0, Self.exampleLimit - sum.examples.count))
        differences[key] = sum
    }

    mutating func merge(_ next: Self) {
        rowCount += next.rowCount
        keptCount += next.keptCount
        withoutUnitCount += next.withoutUnitCount
        // Which differences are still kept must not depend on the order of a dictionary.
        let isFull = differences.count + next.differences.count > Self.keyLimit
        for (key, tally) in isFull ? next.differences.sorted(by: { $0.key < $1.key }) : Array(next.differences) {
            add(key, tally)
        }
        if named.isEmpty { named = next.named }
        for (index, isNamed) in next.named.enumerated() where isNamed { named[index] = true }
    }
}
