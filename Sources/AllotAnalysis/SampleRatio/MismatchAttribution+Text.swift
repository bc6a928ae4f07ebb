import AllotConfiguration
import AllotStatistics

extension SampleRatioReport {
    /// The two sides of a mismatch, for people.
    func attributionLines(_ attribution: MismatchAttribution) -> [String] {
        [sentence(attribution)] + attribution.advice + table(attribution) + examples(attribution) + attribution.notes
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
        case .someReassigned: return "\(reassigned); the ratio is not affected"
        case .masked: return attribution.maskedText(reassigned, threshold)
        case .capture:
            let rest =
                attribution.reassignedCount == 0 ? "every unit has the variant that Allot assigns to it" : reassigned
            return "\(captured); \(rest)"
        case .reassignment: return "REASSIGNMENT explains \(attribution.part(1 - share)): \(reassigned)"
        case .both: return "\(captured). The rest was REASSIGNED: \(reassigned)"
        case .renamed:
            return "the data USE OTHER NAMES FOR THE VARIANTS: nearly all units of each are those of one other"
        case .unrelated:
            return "the data were NOT ASSIGNED BY THIS DEFINITION: \(attribution.reassignedText), about as many "
                + "as by chance"
        }
    }

    private func table(_ attribution: MismatchAttribution) -> [String] {
        guard attribution.finding != .agreement || isMismatch else { return [] }
        var table = TextTable(header: ["variant", "recorded", "expected", "recomputed", "captured", "reassigned"])
        for row in attribution.rows {
            table.append([
                row.variant, String(row.recorded), NumberFormat.fixed(row.expected, 1), String(row.recomputed),
                NumberFormat.difference(row.captured, 1), NumberFormat.difference(Double(row.reassigned), 0),
            ])
        }
        let unallocated = attribution.unallocatedCount
        if unallocated > 0 {
            table.append(["(none)", "0", "0.0", String(unallocated), "+\(unallocated).0", "-\(unallocated)"])
        }
        return table.lines(indent: 2)
    }

    private func examples(_ attribution: MismatchAttribution) -> [String] {
        guard attribution.finding != .unrelated else { return [] }
        return attribution.examples.map { example in
            let own = example.recomputed.map { shares.variants[$0] } ?? "none"
            return "  line \(example.line): \(QuotedText(example.unit)) has \(shares.variants[example.recorded]), "
                + "Allot assigns \(own)"
        }
    }
}

extension MismatchAttribution {
    private static let shownMoves = 3

    fileprivate var reassignedText: String {
        let share = NumberFormat.part(Double(reassignedCount) / Double(max(unitCount, 1)))
        let units = counted(reassignedCount, "unit")
        return "\(units) (\(share)) \(reassignedCount == 1 ? "has" : "have") another variant than Allot assigns"
    }

    /// The largest moves, from the variant that Allot assigns to the one in the data.
    fileprivate var moves: String {
        var moves: [(text: String, count: Int)] = []
        for (recorded, row) in table.enumerated() {
            for (own, count) in row.enumerated() where count > 0 && own != recorded {
                let from = own < rows.count ? rows[own].variant : "none"
                moves.append(("\(count) from \(from) to \(rows[recorded].variant)", count))
            }
        }
        moves.sort { $0.count > $1.count }
        let shown = moves.prefix(Self.shownMoves).map(\.text).joined(separator: ", ")
        return moves.count > Self.shownMoves ? "\(shown), …" : shown
    }

    /// Which variant's units are too few, and which too many.
    fileprivate var capturedText: String {
        let sorted = rows.filter { $0.expected > 0 }.sorted {
            $0.captured / $0.expected.squareRoot() < $1.captured / $1.expected.squareRoot()
        }
        guard let fewest = sorted.first, let most = sorted.last else { return "" }
        return "units of \(fewest.variant) are missing from the data, or those of \(most.variant) are too many"
    }

    /// What the ratio hides.
    fileprivate func maskedText(_ reassigned: String, _ threshold: PValue) -> String {
        let sides = oneSided.map { "in both directions alike: p = \($0.pValue)" } ?? ""
        guard let capture, capture.pValue < threshold else {
            return "THE REASSIGNMENT is one-sided, though too small to show in the ratio: \(reassigned); \(sides)"
        }
        return "the ratio is right only because two errors CANCEL OUT: \(capturedText), p = \(capture.pValue); and "
            + reassigned
    }

    /// How much of the mismatch some units explain.
    fileprivate func part(_ share: Double) -> String {
        share > 1.005 ? "all of the mismatch (and more)" : "\(NumberFormat.part(max(share, 0))) of the mismatch"
    }

    /// What usually causes it.
    fileprivate var advice: [String] {
        switch finding {
        case .agreement, .someReassigned: []
        case .capture:
            [
                "Look for what keeps units of one variant out of the data: a crash, a redirect or a slow page "
                    + "before the exposure is sent, code that reports only one variant, bots filtered by what a "
                    + "variant changes."
            ]
        case .reassignment:
            [
                "Look for what gives units another variant: weights or salt changed while it ran, assignments "
                    + "kept from before, another unit ID on some path, an override in code, variants logged "
                    + "under wrong names."
            ]
        case .both, .masked:
            ["Look for both: units kept out of the data, and units given another variant; fix the second first."]
        case .renamed: ["Compare the names of the variants where exposures are recorded with those of the definition."]
        case .unrelated:
            [
                "Are these the right experiment, unit column and definitions? Was the salt changed, or assigned "
                    + "elsewhere?"
            ]
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
