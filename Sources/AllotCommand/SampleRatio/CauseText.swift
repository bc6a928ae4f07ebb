import Allot
import AllotAnalysis
import AllotConfiguration

/// The two sides of a mismatch, for people.
struct CauseText {
    private let cause: CauseSplit
    private let report: SampleRatioReport

    init(_ cause: CauseSplit, _ report: SampleRatioReport) {
        self.cause = cause
        self.report = report
    }

    var lines: [String] {
        [sentence] + advice + table + examples + notes
    }

    private var share: String { Figures.percent(Double(cause.reassignedCount) / Double(max(cause.unitCount, 1))) }

    private var reassigned: String {
        let count = cause.reassignedCount
        return
            "\(Figures.counted(count, "unit")) (\(share)) \(count == 1 ? "holds" : "hold") another variant than Allot gives"
    }

    /// The largest moves, from the variant that Allot gives to the one in the data.
    private var moves: String {
        let variants = report.shares.variants
        var moves: [(text: String, count: Int)] = []
        for (recorded, row) in cause.table.enumerated() {
            for (own, count) in row.enumerated() where count > 0 && own != recorded {
                let from = own < variants.count ? variants[own] : "none"
                moves.append(("\(count) from \(from) to \(variants[recorded])", count))
            }
        }
        moves.sort { $0.count > $1.count }
        let shown = moves.prefix(Self.shownMoves).map(\.text).joined(separator: ", ")
        return moves.count > Self.shownMoves ? "\(shown), …" : shown
    }

    private static let shownMoves = 3

    /// Which variant's units are too few, and which too many.
    private var captured: String {
        let rows = cause.rows.filter { $0.expected > 0 }.sorted {
            $0.captured / $0.expected.squareRoot() < $1.captured / $1.expected.squareRoot()
        }
        guard let fewest = rows.first, let most = rows.last else { return "" }
        return "units of \(fewest.variant) are missing from the data, or those of \(most.variant) are too many"
    }

    private var sentence: String {
        switch cause.finding {
        case .agreement:
            "\(report.unknown.isEmpty ? "every unit" : "every unit of a known variant") holds the variant that Allot gives it"
                + (report.isAlarm ? "" : ", and those who were captured are in the ratio")
        case .someReassigned: "\(reassigned) (\(moves)); the ratio is right all the same"
        case .capture: "WHO WAS CAPTURED explains \(part): \(captured)\(rest)"
        case .reassignment:
            "WHO WAS REASSIGNED explains \(part(of: 1 - (cause.captureShare ?? 0))): \(reassigned) (\(moves))"
        case .both: "WHO WAS CAPTURED explains \(part): \(captured). The rest was REASSIGNED: \(reassigned) (\(moves))"
        case .renamed: "the data NAME THE VARIANTS OTHERWISE: nearly all units of each are those of one other"
        case .unrelated: "the data were NOT ASSIGNED BY THIS DEFINITION: \(reassigned), about as many as by chance"
        }
    }

    private var part: String { part(of: cause.captureShare ?? 0) }

    /// What else there is besides the side of capture.
    private var rest: String {
        cause.reassignedCount == 0 ? "; every unit holds the variant that Allot gives it" : "; \(reassigned) (\(moves))"
    }

    private func part(of share: Double) -> String {
        share > 1.005 ? "all of the mismatch (and more)" : "\(Figures.percent(max(share, 0))) of the mismatch"
    }

    /// What usually causes it.
    private var advice: [String] {
        switch cause.finding {
        case .agreement, .someReassigned: []
        case .capture:
            [
                "Look for what keeps units of one variant out of the data: a crash, a redirect or a slow page before the "
                    + "exposure is sent, code that reports only one variant, bots filtered by what a variant changes."
            ]
        case .reassignment:
            [
                "Look for what gives units another variant: weights or salt changed while it ran, assignments kept from "
                    + "before, another unit ID on some path, an override in code, variants logged under wrong names."
            ]
        case .both:
            ["Look for both: units kept out of the data, and units given another variant; mend the second first."]
        case .renamed: ["Compare the names of the variants where exposures are recorded with those of the definition."]
        case .unrelated:
            [
                "Are these the right experiment, unit column and definitions? Was the salt changed, or assigned elsewhere?"
            ]
        }
    }

    private var table: [String] {
        guard cause.finding != .agreement || report.isAlarm else { return [] }
        var table = TextTable(header: ["variant", "recorded", "expected", "recomputed", "captured", "reassigned"])
        for row in cause.rows {
            table.append([
                row.variant, String(row.recorded), Figures.text(row.expected, 1), String(row.recomputed),
                Figures.signed(row.captured, 1), Figures.signed(Double(row.reassigned), 0),
            ])
        }
        if cause.unallocatedCount > 0 {
            let count = cause.unallocatedCount
            table.append(["(none)", "0", "0.0", String(count), "+\(count).0", "-\(count)"])
        }
        return table.lines.map { "  " + $0 }
    }

    private var examples: [String] {
        guard cause.finding != .unrelated else { return [] }
        return cause.examples.map { example in
            let variants = report.shares.variants
            let own = example.recomputed.map { variants[$0] } ?? "none"
            return
                "  line \(example.line): \(QuotedText(example.unit)) holds \(variants[example.recorded]), Allot gives \(own)"
        }
    }

    private var notes: [String] {
        var lines: [String] = []
        if !cause.ineligible.isEmpty {
            let count = cause.ineligible.values.reduce(0, +)
            let reasons = cause.ineligible.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
                .map { "\($0.value) \($0.key.text)" }.joined(separator: ", ")
            lines.append(
                "\(Figures.counted(count, "unit")) should hold no variant at all: \(reasons) (see allot explain)")
        }
        switch cause.basis {
        case .decision: break
        case .withoutAttributes(let names):
            lines.append(
                "recomputed by bucket only: the data lack \(names.map { PrintableText($0).description }.joined(separator: ", ")), "
                    + "which the decision looks at")
        case .buckets(let status):
            lines.append("recomputed by bucket only: the experiment is \(status.rawValue)")
            if status == .concluded, cause.rows.count(where: { $0.recorded > 0 }) == 1 {
                lines.append(
                    "all units hold one variant: after its conclusion everyone gets the winner, and there is no ratio")
            }
        }
        return lines
    }
}
