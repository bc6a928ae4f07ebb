import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotReports

extension CatalogEntry {
    /// The report of `allot show`: everything that is defined, for people.
    public var lines: [String] {
        var lines = [key]
        func add(_ label: String, _ body: [String]) {
            if !body.isEmpty {
                lines += TextRenderer().lines(
                    Report.Fact(label, body.map { PrintableText(line: $0).description }), indent: 4)
            }
        }
        add("about", description?.split(whereSeparator: \.isNewline).map(String.init) ?? [])
        add("owner", [owner ?? "none"])
        add("status", [schedule])
        let later = boundaries.filter { $0.instant > instant }
        add(
            "next", later.map { "\($0.instant.shortText) \($0.event), \(Self.distance(to: $0.instant, from: instant))" }
        )
        add("traffic", traffic.map { [$0] } ?? [])
        add("randomised", [randomisation])
        add("layer", layer.map { ["\($0), slots \(slots ?? "")"] } ?? [])
        add("holdouts", holdouts.map { "\($0.name) keeps \($0.hash.percentage(of: $0.share)) out" })
        add("requires", requirements)
        add("audience", audience.isEmpty ? ["everyone"] : audience)
        for (index, variant) in variants.enumerated() {
            add(index == 0 ? "variants" : "", variant.lines)
        }
        add("forced", forcedCount > 0 ? [counted(forcedCount, "unit")] : [])
        add("revision", [experiment.revision])
        return lines
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
    package var text: String {
        "\(name): \(base.map(Self.short) ?? "nothing") → \(Self.short(value))"
    }

    private static func short(_ value: JSONValue) -> String {
        PageText.short(value.canonicalText, atMost: 80)
    }
}
