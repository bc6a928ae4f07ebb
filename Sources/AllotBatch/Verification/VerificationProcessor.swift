import AllotConfiguration
@_spi(Groups) import AllotCore

/// Decides the rows of chunks, and compares them with what was recorded.
struct VerificationProcessor: ChunkProcessor {
    private let plan: Plan
    private let targets: VerificationTargets
    private let nullWords: NullWords
    private let watched: [WatchedColumn]
    private var parser: CSVRecordParser
    private var evaluator: Evaluator
    private let emptyGroup: RowGroup
    private let hasUser: Bool
    private let key: @Sendable (String) -> String

    private enum Kept {
        static let experiment = 0
        static let variant = 1
        static let unit = 2
    }

    init(_ verification: BatchVerification, columns: ColumnMap, places: RecordedColumns, targets: VerificationTargets) {
        plan = verification.plan
        key = verification.key
        self.targets = targets
        nullWords = NullWords(verification.nullWords)
        watched = columns.watched
        parser = CSVRecordParser(columnCount: columns.columnCount, delimiter: columns.delimiter)
        let unit = columns.userColumn ?? columns.unitColumns.lazy.compactMap { $0 }.first
        hasUser = unit != nil
        emptyGroup = RowGroup(
            columns, keeping: [places.experiment, places.variant] + (unit.map { [$0] } ?? []),
            for: plan)
        evaluator = Evaluator(plan: plan, at: verification.instant, selection: nil, groupSize: emptyGroup.capacity)
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
            case .noInstant: if let problem = group.time?.problem(parser, of: chunk, nullWords) { throw problem }
            case .escapes:
                var bytes: [UInt8] = []
                group.append(unescaping: parser, of: chunk, to: &bytes)
                decide(&group, chunk, bytes.span, &counts)
            }
        }
        output.longFields = parser.longFields.counted(in: chunk)
        return counts
    }

    /// Decides and compares the rows of the group, whose values point into `bytes`, and removes them.
    private mutating func decide(
        _ group: inout RowGroup, _ chunk: Span<UInt8>, _ bytes: Span<UInt8>, _ counts: inout VerificationCounts
    ) {
        group.removeNulls(nullWords, of: bytes)
        counts.doubts.note(group, watched, bytes)
        evaluator.evaluate(group: group.count, group.values.span, bytes, at: group.instants)
        let decisions = evaluator.groupDecisions.span
        for row in 0..<group.count { compare(row, of: group, chunk, decisions, &counts) }
        group.removeAll()
    }

    private func compare(
        _ row: Int, of group: RowGroup, _ chunk: Span<UInt8>, _ decisions: Span<Decision>,
        _ counts: inout VerificationCounts
    ) {
        let (name, recorded) = (group.field(row, Kept.experiment), group.field(row, Kept.variant))
        let outcome: Outcome
        // Fields with doubled quotes are seldom, and their bytes are not their text.
        if name.hasEscapes || recorded.hasEscapes {
            let (nameBytes, recordedBytes) = (name.value(in: chunk), recorded.value(in: chunk))
            outcome = compare(nameBytes.span, recordedBytes.span, row, of: group, decisions, &counts)
        } else {
            outcome = compare(
                chunk.extracting(name.range), chunk.extracting(recorded.range), row, of: group, decisions, &counts)
        }
        switch outcome {
        case .kept(let match): counts.add(match, unitHash(row, of: group, chunk))
        case .withoutUnit: counts.addWithoutUnit()
        case .difference(let key):
            let unit = hasUser ? group.field(row, Kept.unit).text(in: chunk) : ""
            counts.add(key, unitHash(row, of: group, chunk), name: unit)
        }
    }

    private enum Outcome {
        case kept(VerificationCounts.Match)
        case withoutUnit
        case difference(VerificationCounts.Key)
    }

    private func compare(
        _ name: Span<UInt8>, _ recorded: Span<UInt8>, _ row: Int, of group: RowGroup, _ decisions: Span<Decision>,
        _ counts: inout VerificationCounts
    ) -> Outcome {
        let recorded = nullWords.contains(recorded) ? recorded.extracting(first: 0) : recorded
        guard let target = targets.find(name) ?? renamed(name) else {
            return .difference(difference(nil, name, recorded, "", "unknown", isNone: false))
        }
        counts.addNamed(target, of: targets.count)
        let (found, reason, isNone): (String, String, Bool)
        switch targets[target] {
        case .experiments(let experiments):
            // The one that assigns a variant, or else the first for which there is a unit.
            var deciding: (index: Int, decision: Decision)?
            for (index, keys) in experiments {
                let decision = decisions[group.decisionPlaces.of(index, row: row)]
                if let variant = decision.variant {
                    let key = keys[variant]
                    if ByteTable.areEqual(key.span, recorded) || isKey(String(copying: recorded), key, of: target) {
                        return .kept(.init(target: target, experiment: index, variant: variant))
                    }
                    if deciding?.decision.variant == nil { deciding = (index, decision) }
                } else if deciding == nil, decision.reason != .noUnit {
                    deciding = (index, decision)
                }
            }
            guard let (index, decision) = deciding else { return .withoutUnit }
            if decision.variant == nil, recorded.isEmpty { return .kept(.init(target: target)) }
            found = decision.variant.map { plan.experiments[index].variants[$0].key } ?? ""
            reason = decision.reason.text
            isNone = decision.variant == nil
        case .setting(let base, let experiments):
            var (served, match) = (base, VerificationCounts.Match(target: target))
            var hasUnit = experiments.isEmpty
            for (index, variants) in experiments {
                let decision = decisions[group.decisionPlaces.of(index, row: row)]
                if decision.reason != .noUnit { hasUnit = true }
                guard let variant = decision.variant else { continue }
                (served, match) = (variants[variant], .init(target: target, experiment: index, variant: variant))
            }
            guard hasUnit else { return .withoutUnit }
            for text in served.texts where ByteTable.areEqual(text.span, recorded) { return .kept(match) }
            let text = String(copying: recorded)
            if !served.isKeyValue, let key = served.key, isKey(text, key, of: target) { return .kept(match) }
            if served.isWritten(as: text) { return .kept(match) }
            found = served.text
            isNone = !experiments.isEmpty && served.value != true && match.experiment == nil || served.value.isNo
            reason =
                match.experiment.map { plan.experiments[$0].key }
                ?? reasons(
                    experiments.map { ($0.index, decisions[group.decisionPlaces.of($0.index, row: row)].reason) })
        }
        return .difference(difference(target, name, recorded, found, reason, isNone: isNone))
    }

    private func reasons(_ experiments: [(index: Int, reason: Reason)]) -> String {
        var parts = experiments.prefix(4).map { "\(plan.experiments[$0.index].key): \($0.reason.text)" }
        if experiments.count > 4 { parts.append("…") }
        return parts.isEmpty ? "the base's value" : "no rule applies; \(parts.joined(separator: ", "))"
    }

    /// Whether a recorded text is the key of a variant, as the definitions have it, or in another case.
    private func isKey(_ text: String, _ variant: [UInt8], of target: Int) -> Bool {
        let key = key(text)
        if key.utf8.elementsEqual(variant) { return true }
        return targets.ignoresCase(target)
            && UTF8Order.areEqual(key.lowercased(), String(decoding: variant, as: UTF8.self).lowercased())
    }

    /// The target of a name that is not a key. Definitions have a valid key instead.
    private func renamed(_ name: Span<UInt8>) -> Int? {
        let other = Array(key(String(copying: name)).utf8)
        return targets.find(other.span)
    }

    private func difference(
        _ target: Int?, _ name: Span<UInt8>, _ recorded: Span<UInt8>, _ found: String, _ reason: String, isNone: Bool
    ) -> VerificationCounts.Key {
        .init(target, String(copying: name), String(copying: recorded), found, reason, isNone: isNone)
    }

    private func unitHash(_ row: Int, of group: RowGroup, _ chunk: Span<UInt8>) -> UInt64? {
        hasUser ? group.field(row, Kept.unit).unitHash(in: chunk, missing: nullWords) : nil
    }
}

extension JSONValue {
    fileprivate var isNo: Bool { self == .null || self == false }
}
