import AllotConfiguration
import AllotReports
import AllotStatistics

extension SampleRatioReport {
    func attributionBlocks(_ attribution: MismatchAttribution) -> [Report.Block] {
        let isSaid = attribution.finding == .wrong || attribution.finding == .capture
        // The knowledge of wrong variants where the sentence is about the ratio.
        let wrong = attribution.wrong.isAlarm && !isSaid ? "WRONG VARIANTS: \(attribution.wrong.text)" : nil
        let sentences = [sentence(attribution), wrong, attribution.advice].compactMap(\.self)
        return sentences.map(Report.Block.text) + [table(attribution), Report.Block.list(examples(attribution))]
            + attribution.notes.map(Report.Block.text)
    }

    private func sentence(_ attribution: MismatchAttribution) -> String {
        let reassigned = "\(attribution.reassignedText) (\(attribution.moves))"
        let share = attribution.captureShare ?? 0
        let captured = "WHO WAS CAPTURED explains \(attribution.part(share)): \(attribution.capturedText)"
        switch attribution.finding {
        case .agreement:
            let units = unknown.isEmpty ? "every unit" : "every unit of a known variant"
            return "\(units) has the variant that Allot assigns to it"
                + (isMismatch ? "" : ", and the captured units are in the ratio")
        case .wrong: return "WRONG VARIANTS: \(attribution.wrong.text)"
        case .someReassigned:
            return "\(attribution.wrong.reassignedText): \(attribution.wrong.labelText); the ratio is not affected"
        case .masked: return attribution.maskedText(reassigned, PValue(levels.other))
        case .capture:
            guard attribution.wrong.unitCount == 0 else { return "\(captured); \(attribution.wrong.text)" }
            return "\(captured); every unit has the variant that Allot assigns to it"
        case .reassignment: return "REASSIGNMENT explains \(attribution.part(1 - share)): \(reassigned)"
        case .both: return "\(captured). The rest was REASSIGNED: \(reassigned)"
        }
    }

    private func table(_ attribution: MismatchAttribution) -> Report.Block {
        guard attribution.finding != .agreement || isMismatch else { return .list([]) }
        var rows = attribution.rows.map { row in
            [
                row.variant, String(row.recorded), NumberFormat.fixed(row.expected, 1), String(row.recomputed),
                NumberFormat.difference(row.captured, 1), NumberFormat.difference(Double(row.reassigned), 0),
            ]
        }
        let unallocated = attribution.unallocatedCount
        if unallocated > 0 {
            rows.append(["(none)", "0", "0.0", String(unallocated), "+\(unallocated).0", "-\(unallocated)"])
        }
        return .numbers(["variant", "recorded", "expected", "recomputed", "captured", "reassigned"], rows)
    }

    private func examples(_ attribution: MismatchAttribution) -> [String] {
        attribution.examples.map { example in
            let time = example.time.isEmpty ? "" : " at \(example.time)"
            return "\(QuotedText(example.unit)) has \(PrintableText(example.recorded))\(time), Allot assigns "
                + "\(example.recomputed.map { PrintableText($0).description } ?? "none")"
        }
    }
}

extension WrongVariants {
    /// `4968 of 20000 units (24.8%) have another variant than Allot assigns`
    var reassignedText: String {
        "\(unitCount) of \(counted(presentCount, "unit")) (\(NumberFormat.part(share))) "
            + "\(unitCount == 1 ? "has" : "have") another variant than Allot assigns"
    }

    var summary: String { "\(reassignedText)\(window)\(labelSummary.map { ": \($0)" } ?? "")" }

    /// How many, since when, where, and what the labels became.
    var text: String {
        let place = source.map { source in
            let names = source.values.map {
                "\(PrintableText(source.attribute))=\($0.map { PrintableText($0).description } ?? "(missing)")"
            }
            return
                ", with \(names.listed(atMost: 8)) (\(source.inside[1]) of \(counted(source.inside[0], "unit")) there)"
        }
        return "\(reassignedText)\(window)\(place ?? ""): \(labelText)"
    }

    private var window: String {
        switch (since.isEmpty, until.isEmpty) {
        case (true, true): ""
        case (false, true): ", since \(since)"
        case (true, false): ", until \(until)"
        case (false, false): ", from \(since) to \(until)"
        }
    }

    private var labelSummary: String? {
        switch labels {
        case .renamed: labelText
        case .unrelated: "as many as by chance"
        case .moves: nil
        }
    }

    fileprivate var labelText: String {
        guard labels != .unrelated else {
            return "as many as by chance, as if they had been assigned by another salt or another unit ID"
        }
        return moves.map(\.text).joined(separator: labels == .renamed && moves.count == 2 ? " and " : ", ")
    }
}

extension WrongVariants.Move {
    fileprivate var text: String {
        let from = from.map { PrintableText($0).description } ?? "none"
        return count.map { "\($0) from \(from) to \(PrintableText(to))" }
            ?? "\(from) is recorded as \(PrintableText(to))"
    }
}

extension MismatchAttribution {
    fileprivate var reassignedText: String {
        let share = NumberFormat.part(Double(reassignedCount) / Double(max(unitCount, 1)))
        let units = counted(reassignedCount, "unit")
        return "\(units) (\(share)) \(reassignedCount == 1 ? "has" : "have") another variant than Allot assigns"
    }

    fileprivate var moves: String {
        let moves = WrongVariants.moves(table, rows.map(\.variant)).sorted { $0.count ?? 0 > $1.count ?? 0 }
        let shown = moves.prefix(WrongVariants.shownMoves).map(\.text).joined(separator: ", ")
        return moves.count > WrongVariants.shownMoves ? "\(shown), …" : shown
    }

    /// Which variant's units are too few, or too many: that without which the others are in the ratio, if it is one.
    fileprivate var capturedText: String {
        let possible = rows.filter { $0.expected > 0 }
        let sorted = possible.sorted { $0.captured / $0.expected.squareRoot() < $1.captured / $1.expected.squareRoot() }
        guard let fewest = sorted.first, let most = sorted.last else { return "" }
        let explaining = possible.indices.compactMap { index in
            let others = possible[..<index] + possible[(index + 1)...]
            let test = RatioTest(counts: others.map(\.recomputed), shares: others.map(\.expected))
            return test.flatMap { $0.isUnusual ? nil : (row: possible[index], pValue: $0.pValue) }
        }
        guard explaining.count == 1, let (row, pValue) = explaining.first else {
            return "units of \(PrintableText(fewest.variant)) are missing from the data, or those of "
                + "\(PrintableText(most.variant)) are too many"
        }
        return "units of \(PrintableText(row.variant)) are "
            + "\(row.captured < 0 ? "missing from the data" : "too many"): without them the others are in the ratio, "
            + "p = \(pValue)"
    }

    fileprivate func maskedText(_ reassigned: String, _ threshold: PValue) -> String {
        let sides = oneSided.map { "in both directions alike: p = \($0.pValue)" } ?? ""
        guard let capture, capture.pValue < threshold else {
            return "THE REASSIGNMENT is one-sided, though too small to show in the ratio: \(reassigned); \(sides)"
        }
        return "the ratio is right only because two errors CANCEL OUT: \(capturedText), p = \(capture.pValue); and "
            + reassigned
    }

    fileprivate func part(_ share: Double) -> String {
        share > 1.005 ? "all of the mismatch (and more)" : "\(NumberFormat.part(max(share, 0))) of the mismatch"
    }

    fileprivate var advice: String? {
        switch finding {
        case .agreement, .someReassigned: nil
        case .capture:
            "Look for what keeps units of one variant out of the data: a crash, a redirect or a slow page before the "
                + "exposure is sent, code that reports only one variant, bots filtered by what a variant changes."
        case .reassignment:
            "Look for what gives units another variant: weights or salt changed while it ran, assignments kept from "
                + "before, another unit ID on some path, an override in code, variants logged under wrong names."
        case .both, .masked:
            "Look for both: units kept out of the data, and units given another variant; fix the second first."
        case .wrong where wrong.labels == .renamed:
            "Compare the names of the variants where exposures are recorded with those of the definition."
        case .wrong:
            "Are these the right experiment, unit column and definitions? Was the salt changed, assigned elsewhere, or "
                + "recorded with another unit ID?"
        }
    }

    fileprivate var notes: [String] {
        var lines: [String] = []
        if !ineligible.isEmpty {
            let count = counted(ineligible.values.reduce(0, +), "unit")
            let reasons = ineligible.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
                .map { "\($0.value) \($0.key.text)" }.joined(separator: ", ")
            lines.append("\(count) should have no variant at all: \(reasons) (see allot explain)")
        }
        switch basis {
        case .decision: break
        case .withoutAttributes(let names):
            let names = names.map { PrintableText($0).description }.joined(separator: ", ")
            lines.append("recomputed by bucket only: the data lack \(names), which the decision looks at")
        case .buckets(let status):
            lines.append("recomputed by bucket only: the experiment is \(status.rawValue)")
            if status == .concluded, rows.count(where: { $0.recorded > 0 }) == 1 {
                lines.append(
                    "all units have one variant: after its conclusion everyone gets the winner, and there is no ratio")
            }
        }
        return lines
    }
}
