import AllotConfiguration
import AllotCore
import AllotDefinitions

/// Writes what was lowered as the files of a definitions folder.
struct DefinitionsText {
    let system: String
    let section: String
    let lowering: ProjectLowering
    let segments: [ImportedSegment]

    func sources() -> [DefinitionSource] {
        var files = [file("base", base)]
        if !lowering.layers.isEmpty { files.append(file("layers", layers)) }
        if !segments.isEmpty { files.append(file("segments", segmentLines)) }
        for gate in lowering.gates.gates { files.append(file(gate.key, lines(of: gate))) }
        for flag in lowering.flags {
            for experiment in flag.experiments { files.append(file(experiment.key, lines(of: experiment, flag))) }
        }
        return files.sorted { UTF8Order.precedes($0.name, $1.name) }
    }

    private func file(_ name: String, _ lines: [String]) -> DefinitionSource {
        DefinitionSource(name: "\(name).yaml", bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    private var base: [String] {
        var lines = YAMLText.comment("The configuration of units to which no rule applies, imported from \(system).")
        lines += ["config_sections:", "  \(YAMLText.scalar(section)):", "    settings:"]
        if lowering.flags.allSatisfy(\.settings.isEmpty) { lines[lines.count - 1] += " {}" }
        for flag in lowering.flags.sorted(by: { UTF8Order.precedes($0.key, $1.key) }) {
            for setting in flag.settings {
                var declaration: JSONObject = ["value": setting.value]
                if let type = setting.type { declaration["type"] = .string(type) }
                // An override of another system may have half of such a value.
                if flag.experiments.isEmpty, setting.value.asObject != nil,
                    let format = SettingFormat.allCases.first(where: { $0.fault(of: setting.value) == nil })
                {
                    declaration["format"] = .string(format.rawValue)
                }
                if let description = flag.description, !description.isEmpty {
                    declaration["description"] = .string(description)
                }
                lines += YAMLText.entry(setting.name, .object(declaration)).map { "      \($0)" }
            }
        }
        return lines
    }

    private var layers: [String] {
        var lines = YAMLText.comment("Experiments of one layer exclude each other. Imported from \(system).")
        for layer in lowering.layers {
            var body = JSONObject(fields(of: layer.draw))
            body["unit"] = .string(layer.draw.unit)
            lines += YAMLText.entry(layer.name, .object(body))
        }
        return lines
    }

    private var segmentLines: [String] {
        var lines = YAMLText.comment("Conditions and lists with a name, imported from \(system).")
        for segment in segments {
            lines += segment.comment.flatMap(YAMLText.comment) + YAMLText.entry(segment.name, segment.definition)
        }
        return lines
    }

    private func fields(of draw: Draw) -> [(key: String, value: JSONValue)] {
        var fields: [(key: String, value: JSONValue)] = [
            ("hash", .string(draw.scheme.rawValue)), ("salt", .string(draw.salt)),
        ]
        if let resolution = draw.resolution, draw.scheme.takesResolution {
            fields.append(("resolution", .number(JSONNumber(resolution))))
        }
        return fields
    }

    private func head(_ draw: Draw?, unit: String?) -> [String] {
        var lines = ["status: running"]
        if let draw {
            for field in fields(of: draw) { lines += YAMLText.entry(field.key, field.value) }
        }
        return lines + YAMLText.entry("unit", .string(unit ?? UnitContract.noUnit))
    }

    private func lines(of gate: (key: String, part: Conjunction.DrawPart)) -> [String] {
        let draw = gate.part.draw
        return YAMLText.comment("A draw that other experiments require: it changes nothing itself.")
            + head(draw, unit: draw.unit) + ["variants:", "  - key: \(GateTable.variant)"]
            + ["    buckets: \(Self.ranges(gate.part.buckets, of: draw))"]
    }

    private func lines(of experiment: LoweredExperiment, _ flag: LoweredFlag) -> [String] {
        var lines = YAMLText.comment("\(system): \(experiment.comment.first ?? flag.key)")
        lines += experiment.comment.dropFirst().flatMap(YAMLText.comment)
        // A verification finds an experiment of another key by its description.
        let name = experiment.name == experiment.key ? nil : experiment.name
        if let text = name ?? flag.description, !text.isEmpty { lines += YAMLText.entry("description", .string(text)) }
        if let owner = flag.owner, !owner.isEmpty { lines += YAMLText.entry("owner", .string(owner)) }
        lines += head(experiment.draw, unit: experiment.unit)
        if let slots = experiment.layer, let layer = slots.layer {
            lines += YAMLText.entry("layer", .string(layer))
            lines.append("slots: \(Self.ranges(slots.buckets, of: slots.draw))")
        }
        let rest = experiment.rest
        if let starts = rest.starts { lines += YAMLText.entry("starts", .string(starts.description)) }
        if let ends = rest.ends { lines += YAMLText.entry("ends", .string(ends.description)) }
        if rest.condition != .always { lines += YAMLText.entry("audience", rest.condition) }
        if !rest.requirements.isEmpty {
            lines.append("requires:")
            for (key, admitted) in rest.requirements.sorted(by: { UTF8Order.precedes($0.key, $1.key) }) {
                lines += YAMLText.entry(key, admitted.json).map { "  \($0)" }
            }
        }
        lines.append("variants:")
        for variant in experiment.variants {
            lines.append("  - key: \(YAMLText.scalar(variant.key))")
            lines += self.lines(of: variant, experiment, flag).map { "    \($0)" }
        }
        return lines
    }

    private func lines(of variant: LoweredVariant, _ experiment: LoweredExperiment, _ flag: LoweredFlag) -> [String] {
        var lines: [String] = []
        if let draw = experiment.draw { lines.append("buckets: \(Self.ranges(variant.buckets, of: draw))") }
        // An override with the base's own value would be reported by every check.
        let overrides = zip(variant.settings, flag.settings).filter { !$0.value.isEquivalent(to: $1.value) }
        guard !overrides.isEmpty else { return lines }
        let settings = JSONObject(overrides.map { (key: $0.0.name, value: $0.0.value) })
        return lines + YAMLText.entry("overrides", [section: .object(settings)])
    }

    private static func ranges(_ buckets: BucketSet, of draw: Draw) -> String {
        let ranges = buckets.ranges.map { "\($0.lowerBound)..<\($0.upperBound)" }.joined(separator: ", ")
        let share = Double(buckets.count) / Double(draw.bucketCount) * 100
        let rounded = Double(Int(share * 10_000 + 0.5)) / 10_000
        let text = JSONNumber(rounded)?.text ?? ""
        return "[\(ranges)] # \(abs(rounded - share) < 1e-9 ? "" : "about ")\(text)%"
    }
}

extension Conjunction.Admitted {
    fileprivate var json: JSONValue {
        switch self {
        case .noVariant: "none"
        case .variants(let keys): .strings(keys.sorted(by: UTF8Order.precedes))
        }
    }
}
