import AllotConfiguration

/// The report on an import: the flags that decide exactly as before, and those that were left out and why. `Sendable`.
public struct ImportReport: Sendable {
    private let text: DefinitionsText
    private let imported: [LoweredFlag]
    let leftOut: [InexactFlag]
    let attributes: [UsedAttribute]
    package let notes: [String]

    init(_ text: DefinitionsText, attributes: [UsedAttribute], notes: [String]) {
        self.text = text
        self.attributes = attributes
        imported = text.lowering.flags.sorted { UTF8Order.precedes($0.key, $1.key) }
        leftOut = text.lowering.inexact.sorted { UTF8Order.precedes($0.key, $1.key) }
        self.notes = notes
    }

    private var gates: [String] { text.lowering.gates.gates.map(\.key) }
    private var layers: [String] { text.lowering.layers.map(\.name) }

    /// The number of flags that were left out because they cannot be exact.
    package var leftOutCount: Int { leftOut.count }

    /// The number of flags that were imported.
    package var importedCount: Int { imported.count }

    private var summary: String {
        let experiments = imported.reduce(gates.count) { $0 + $1.experiments.count }
        let others = [(layers.count, "layer"), (text.segments.count, "segment")].filter { $0.0 > 0 }
        let parts = [counted(experiments, "experiment")] + others.map { counted($0.0, $0.1) }
        let count = imported.count + leftOut.count
        return "\(text.system): \(imported.count) of \(counted(count, "flag")) imported exactly, as "
            + parts.joined(separator: ", ")
    }

    /// The report for people.
    public var lines: [String] {
        var lines = [summary] + Self.table("Imported exactly:", imported.map { ($0.key, Self.described($0)) })
        lines += Self.table("Attributes that the app has to send:", attributes.map { ($0.name, $0.described) })
        if !leftOut.isEmpty { lines += ["", "Left out:"] }
        for flag in leftOut {
            lines.append("  " + PrintableText(line: "\(PrintableText(flag.key)): \(flag.problem)").description)
        }
        if !notes.isEmpty { lines += [""] + notes.map { "Note: " + PrintableText(line: $0).description } }
        return lines
    }

    private static func table(_ title: String, _ rows: [(name: String, text: String)]) -> [String] {
        if rows.isEmpty { return [] }
        let names = rows.map { PrintableText($0.name).description }
        let width = min(names.map(\.count).max() ?? 0, 40)
        return ["", title] + zip(names, rows).map { "  \($0.rightPadded(to: width))  \($1.text)" }
    }

    private static func described(_ flag: LoweredFlag) -> String {
        let keys = flag.experiments.map(\.key)
        if keys.isEmpty { return "a value of the base" }
        return keys.count > 4 ? keys.listed(atMost: 3) + " experiments" : keys.joined(separator: ", ")
    }

    /// The report in GitHub's Markdown.
    package var markdownLines: [String] {
        var lines = ["### \(leftOut.isEmpty ? "✅" : "⚠️") \(MarkdownText(line: summary))"]
        if !imported.isEmpty { lines += ["", "| imported exactly | experiments |", "| --- | --- |"] }
        for flag in imported {
            let keys = flag.experiments.map { "`\($0.key)`" }.joined(separator: ", ")
            lines.append("| \(MarkdownText(flag.key)) | \(keys.isEmpty ? "a value of the base" : keys) |")
        }
        if !attributes.isEmpty { lines += ["", "| attribute to send | type |", "| --- | --- |"] }
        for attribute in attributes { lines.append("| \(MarkdownText(attribute.name)) | \(attribute.described) |") }
        if !leftOut.isEmpty { lines += ["", "| left out | where | why |", "| --- | --- | --- |"] }
        for flag in leftOut {
            let (key, path) = (MarkdownText(flag.key), MarkdownText(flag.problem.path.description))
            lines.append("| \(key) | \(path) | \(MarkdownText(line: flag.problem.message)) |")
        }
        return lines + (notes.isEmpty ? [] : [""] + notes.map { "* \(MarkdownText(line: $0))" })
    }

    /// The report for programs: `system`, `imported` (`flag`, `path`, `settings`, `experiments`), `left_out` (`flag`,
    /// `path`, `reason`), `attributes` (`name`, `types`, `unit`), `gates`, `layers`, `segments` and `notes`.
    public var json: JSONValue {
        [
            "system": .string(text.system),
            "imported": .array(
                imported.map { flag in
                    [
                        "flag": .string(flag.key), "path": .string(flag.path.description),
                        "settings": .strings(flag.settings.map { "\(text.section).\($0.name)" }),
                        "experiments": .strings(flag.experiments.map(\.key)),
                    ]
                }),
            "left_out": .array(
                leftOut.map { flag in
                    [
                        "flag": .string(flag.key), "path": .string(flag.problem.path.description),
                        "reason": .string(flag.problem.message),
                    ]
                }),
            "attributes": .array(
                attributes.map {
                    ["name": .string($0.name), "types": .strings($0.types), "unit": .boolean($0.isUnit)]
                }),
            "gates": .strings(gates), "layers": .strings(layers), "segments": .strings(text.segments.map(\.name)),
            "notes": .strings(notes),
        ]
    }
}
