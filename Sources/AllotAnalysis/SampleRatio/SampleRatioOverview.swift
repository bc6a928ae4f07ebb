import AllotConfiguration

/// The alarms of a report over several experiments: how many there are, and in which of them.
struct SampleRatioOverview: Sendable {
    private let experiments: [String]
    private let alarmed: [String]
    /// By kind of alarm those that have it; the most frequent kind first.
    private let kinds: [(alarm: String, experiments: [String])]
    private let threshold: Double

    private static let named = 20

    init(_ ratios: [ExperimentRatio], threshold: Double) {
        self.threshold = threshold
        let named = ratios.compactMap { ratio in ratio.key.map { (key: $0, alarms: ratio.alarms) } }
        experiments = named.map(\.key)
        alarmed = named.filter { !$0.alarms.isEmpty }.map(\.key)
        kinds = Set(named.flatMap(\.alarms)).sorted().map { name in
            (name, named.filter { $0.alarms.contains(name) }.map(\.key))
        }.sorted { ($1.experiments.count, $0.alarm) < ($0.experiments.count, $1.alarm) }
    }

    /// The overview for people; empty if there is only one experiment.
    var lines: [String] {
        guard experiments.count > 1 else { return [] }
        let chance = Double(experiments.count) * threshold
        let expected =
            chance >= 1 ? "; by chance the ratios of about \(NumberFormat.significant(chance, 2)) would have one" : ""
        let head = "\(experiments.count) experiments, \(alarmed.isEmpty ? "none" : "\(alarmed.count)") with an alarm"
        let rows = kinds.map { kind in
            let keys = kind.experiments.map { PrintableText($0).description }
            return "    \(kind.alarm) in \(keys.count): \(keys.listed(atMost: Self.named))"
        }
        return [head + expected + (kinds.isEmpty ? "" : ":")] + rows
    }

    var json: JSONValue {
        [
            "experiments": .int(experiments.count), "with_alarm": .strings(alarmed),
            "alarms": .array(
                kinds.map { ["alarm": .string($0.alarm), "experiments": .strings($0.experiments)] }),
        ]
    }
}
