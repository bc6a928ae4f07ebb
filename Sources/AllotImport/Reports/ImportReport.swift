import AllotConfiguration
import AllotReports

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
    package var importedCount: Int { imported.count }

    private var summary: String {
        let experiments = imported.reduce(gates.count) { $0 + $1.experiments.count }
        let others = [(layers.count, "layer"), (text.segments.count, "segment")].filter { $0.0 > 0 }
        let parts = [counted(experiments, "experiment")] + others.map { counted($0.0, $0.1) }
        let count = imported.count + leftOut.count
        return "\(text.system): \(imported.count) of \(counted(count, "flag")) imported exactly, as "
            + parts.joined(separator: ", ")
    }

    /// The flags that were imported, what the app has to send, and the flags that were left out.
    package var report: Report {
        let exact = imported.map { [Report.Cell.name($0.key), Report.Cell(Self.described($0))] }
        let sent = attributes.map { [Report.Cell.name($0.name), Report.Cell($0.described)] }
        let reasons = leftOut.map { "\(PrintableText($0.key)): \($0.problem)" }
        let sections: [(String, Report.Block)] = [
            ("Imported exactly:", .table([.text("flag"), .text("experiments")], exact, showsHead: false)),
            (
                "Attributes that the app has to send:",
                .table([.text("attribute"), .text("type")], sent, showsHead: false)
            ), ("Left out:", .list(reasons)),
        ]
        let blocks = sections.filter { !$0.1.isEmpty }.map { Report.Block.section(.init(Report.Cell($0), [$1])) }
        var report = Report(
            summary, title: "Import from \(text.system)", isGood: leftOut.isEmpty,
            blocks + [.notes(notes.map { "Note: \($0)" })])
        report.isRecord = true
        return report
    }

    /// The report for people.
    public var lines: [String] { TextRenderer().lines(report) }

    private static func described(_ flag: LoweredFlag) -> String {
        let keys = flag.experiments.map(\.key)
        if keys.isEmpty { return "a value of the base" }
        return keys.count > 4 ? keys.listed(atMost: 3) + " experiments" : keys.joined(separator: ", ")
    }

    /// The report for programs: `system`, `imported` (`flag`, `path`, `settings`, `experiments`), `left_out` (`flag`,
    /// `path`, `reason`), `attributes` (`name`, `types`, `unit`), `gates`, `layers`, `segments` and `notes`.
    public var json: JSONValue {
        JSONValue(members: [
            "system": text.system,
            "imported": imported.objects { flag in
                [
                    "flag": flag.key, "path": flag.path.description,
                    "settings": flag.settings.map { "\(text.section).\($0.name)" },
                    "experiments": flag.experiments.map(\.key),
                ]
            },
            "left_out": leftOut.objects { flag in
                ["flag": flag.key, "path": flag.problem.path.description, "reason": flag.problem.message]
            },
            "attributes": attributes.objects { ["name": $0.name, "types": $0.types, "unit": $0.isUnit] },
            "gates": gates, "layers": layers, "segments": text.segments.map(\.name), "notes": notes,
        ])
    }
}
