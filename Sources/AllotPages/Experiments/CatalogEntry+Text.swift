import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotReports

extension CatalogEntry {
    /// The section of `allot show`: everything that is defined, for people.
    package var section: Report.Section {
        let later = boundaries.filter { $0.instant > instant }
        let conditions = audience.map { PrintableText(line: $0).description }
        let facts = [
            fact("about", description?.split(whereSeparator: \.isNewline).map(String.init) ?? []),
            fact("owner", [owner ?? "none"]), fact("status", [schedule]),
            fact(
                "next",
                later.map { "\($0.instant.shortText) \($0.event), \(Self.distance(to: $0.instant, from: instant))" }),
            fact("traffic", traffic.map { [$0] } ?? []), fact("randomised", [randomisation]),
            fact("window", windowText.map { [$0] } ?? []),
            fact("layer", layer.map { ["\($0), slots \(slots ?? "")"] } ?? []),
            fact("holdouts", holdouts.map { "\($0.name) keeps \($0.hash.percentage(of: $0.share)) out" }),
            fact("requires", requirements),
            Report.Fact(
                "audience",
                blocks: [audience.isEmpty ? .text("everyone") : .either(text: conditions, page: [.code(conditions)])]),
            fact("variants", variants.flatMap(\.lines)),
            fact("forced", forcedCount > 0 ? [counted(forcedCount, "unit")] : []),
            fact("revision", [experiment.revision]),
        ]
        return Report.Section(.name(key), [.facts(facts)])
    }

    private func fact(_ label: String, _ lines: [String]) -> Report.Fact {
        Report.Fact(label, lines.map { PrintableText(line: $0).description })
    }
}

extension CatalogVariant {
    /// The key with the share, and below it what it changes.
    fileprivate var lines: [String] {
        let title = [key, share, isWinner ? "won" : nil, description].compactMap { $0 }.joined(separator: "  ")
        return [title] + changes.map { "  " + $0.text }
    }
}

extension CatalogVariant.Change {
    /// The name with both values: `Checkout.ButtonColor: "blue" → "green"`.
    package var text: String { "\(name): \(base.map(Self.short) ?? "nothing") → \(Self.short(value))" }
    private static func short(_ value: JSONValue) -> String { PageText.short(value.canonicalText, atMost: 80) }
}
