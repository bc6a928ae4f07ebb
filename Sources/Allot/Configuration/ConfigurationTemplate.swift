import AllotConfiguration

/// A plan's configuration, serialised as far as it does not depend on the unit: to answer is to decide and to copy.
///
/// ``Plan/configuration(for:at:)`` is the plain form of the same merge; both give the same bytes.
struct ConfigurationTemplate: Sendable {
    /// `{"config_sections":{…},"meta":{` of the base configuration.
    private let sections: [UInt8]
    /// Where each base value lies in `sections`, in order.
    private let values: [Range<Int>]
    private let baseValues: [JSONValue]
    /// The overrides of each variant of each experiment, by the indices of their values.
    private let patches: [[[Patch]]]
    /// The members of `meta` before `assignments`' value, between it and `holdouts`, and after.
    private let metaStart: [UInt8]
    private let metaMiddle: [UInt8]
    private let metaEnd: [UInt8]
    /// The text of `assignments` for each variant of each experiment, around the bucket.
    private let assignmentStarts: [[UInt8]]
    private let assignmentEnds: [[[UInt8]]]
    private let holdoutNames: [[UInt8]]

    /// One overridden setting: the value, and what it makes of the base value, serialised.
    private struct Patch: Sendable {
        let index: Int
        let value: JSONValue
        let merged: [UInt8]
    }

    init(base: ConfigurationDocument, experiments: [Plan.Experiment], holdouts: [Plan.Holdout]) {
        var bytes = Array(#"{"config_sections":{"#.utf8)
        var ranges: [Range<Int>] = []
        var baseValues: [JSONValue] = []
        var indices: [[UTF8Key]: Int] = [:]
        for (sectionIndex, section) in base.sections.members.enumerated() {
            if sectionIndex > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONWriter.append(text: section.key.utf8, to: &bytes)
            bytes.append(contentsOf: #":{"settings":{"#.utf8)
            guard case .object(let settings) = section.value else { continue }
            for (settingIndex, setting) in settings.members.enumerated() {
                if settingIndex > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONWriter.append(text: setting.key.utf8, to: &bytes)
                bytes.append(contentsOf: #":{"value":"#.utf8)
                let start = bytes.count
                JSONWriter.append(setting.value, to: &bytes)
                indices[[UTF8Key(section.key), UTF8Key(setting.key)]] = ranges.count
                ranges.append(start..<bytes.count)
                baseValues.append(setting.value)
                bytes.append(UInt8(ascii: "}"))
            }
            bytes.append(contentsOf: "}}".utf8)
        }
        bytes.append(contentsOf: #"},"meta":{"#.utf8)
        sections = bytes
        values = ranges
        self.baseValues = baseValues
        patches = experiments.map { experiment in
            experiment.variants.map { Self.patches($0.overrides, indices: indices, baseValues: baseValues) }
        }
        (metaStart, metaMiddle, metaEnd) = Self.meta(base.meta)
        assignmentStarts = experiments.map { Self.serialised(key: $0.key) + [UInt8(ascii: "{")] }
        assignmentEnds = experiments.map { experiment in experiment.variants.map { Self.assignmentEnd(experiment, $0) }
        }
        holdoutNames = holdouts.map { JSONValue.string($0.name).canonicalBytes }
    }

    private static func patches(
        _ overrides: JSONObject, indices: [[UTF8Key]: Int], baseValues: [JSONValue]
    ) -> [Patch] {
        overrides.members.flatMap { section -> [Patch] in
            guard case .object(let settings) = section.value else { return [] }
            return settings.members.compactMap { setting in
                guard let index = indices[[UTF8Key(section.key), UTF8Key(setting.key)]] else { return nil }
                let merged = baseValues[index].merging(setting.value)
                return Patch(index: index, value: setting.value, merged: merged.canonicalBytes)
            }
        }
    }

    private static func serialised(key: String) -> [UInt8] {
        JSONValue.string(key).canonicalBytes + [UInt8(ascii: ":")]
    }

    /// `"revision":"…","settings":[…],"variant":"…"}`, to follow the bucket and the reason.
    private static func assignmentEnd(_ experiment: Plan.Experiment, _ variant: Plan.Variant) -> [UInt8] {
        let members: JSONValue = [
            "revision": .string(experiment.revision), "settings": .array(variant.settings.map(JSONValue.string)),
            "variant": .string(variant.key),
        ]
        return Array(members.canonicalBytes.dropFirst())
    }

    /// The constant members of `meta`, cut where `assignments` and `holdouts` go in. `assignments` is always there, so
    /// that the commas are too.
    private static func meta(_ meta: JSONObject) -> (start: [UInt8], middle: [UInt8], end: [UInt8]) {
        var parts: [[UInt8]] = [[], [], []]
        for member in meta.members {
            let part =
                UTF8Order.precedes(member.key, MetaKey.assignments)
                ? 0 : UTF8Order.precedes(member.key, MetaKey.holdouts) ? 1 : 2
            let text = serialised(key: member.key) + member.value.canonicalBytes
            parts[part] += part == 0 ? text + [UInt8(ascii: ",")] : [UInt8(ascii: ",")] + text
        }
        return (parts[0] + serialised(key: MetaKey.assignments), parts[1], parts[2])
    }

    /// About as many bytes as a configuration has.
    var typicalLength: Int {
        sections.count + metaStart.count + metaMiddle.count + metaEnd.count + assignmentStarts.count * 128
    }

    /// Appends the configuration that decisions lead to.
    func append(_ decisions: [Decision], holdouts: [Int], to output: inout [UInt8]) {
        var changes: [(patch: Patch, experiment: Int)] = []
        for (experiment, decision) in decisions.enumerated() {
            guard let variant = decision.variant else { continue }
            for patch in patches[experiment][variant] { changes.append((patch, experiment)) }
        }
        appendSections(changes.sorted { ($0.patch.index, $0.experiment) < ($1.patch.index, $1.experiment) }, &output)
        appendMeta(decisions, holdouts: holdouts, &output)
    }

    private func appendSections(_ changes: [(patch: Patch, experiment: Int)], _ output: inout [UInt8]) {
        var copied = 0
        var next = 0
        while next < changes.count {
            let index = changes[next].patch.index
            output.append(contentsOf: sections[copied..<values[index].lowerBound])
            copied = values[index].upperBound
            var end = next + 1
            while end < changes.count, changes[end].patch.index == index { end += 1 }
            if end == next + 1 {
                output.append(contentsOf: changes[next].patch.merged)
            } else {
                let merged = changes[next..<end].reduce(baseValues[index]) { $0.merging($1.patch.value) }
                JSONWriter.append(merged, to: &output)
            }
            next = end
        }
        output.append(contentsOf: sections[copied...])
    }

    private func appendMeta(_ decisions: [Decision], holdouts: [Int], _ output: inout [UInt8]) {
        output.append(contentsOf: metaStart)
        output.append(UInt8(ascii: "{"))
        var isFirst = true
        for (experiment, decision) in decisions.enumerated() {
            guard let variant = decision.variant else { continue }
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            output.append(contentsOf: assignmentStarts[experiment])
            if let bucket = decision.bucket {
                output.append(contentsOf: #""bucket":"#.utf8)
                output.append(contentsOf: String(bucket).utf8)
                output.append(UInt8(ascii: ","))
            }
            output.append(contentsOf: #""reason":""#.utf8)
            output.append(contentsOf: decision.reason.text.utf8)
            output.append(contentsOf: #"","#.utf8)
            output.append(contentsOf: assignmentEnds[experiment][variant])
        }
        output.append(UInt8(ascii: "}"))
        output.append(contentsOf: metaMiddle)
        if !holdouts.isEmpty {
            output.append(UInt8(ascii: ","))
            JSONWriter.append(text: MetaKey.holdouts.utf8, to: &output)
            output.append(contentsOf: ":[".utf8)
            for (index, holdout) in holdouts.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                output.append(contentsOf: holdoutNames[holdout])
            }
            output.append(UInt8(ascii: "]"))
        }
        output.append(contentsOf: metaEnd)
        output.append(contentsOf: "}}".utf8)
    }
}

extension Plan {
    /// Appends the configuration of a subject of the group that an evaluator has just decided, as canonical JSON.
    ///
    /// - Parameter values: the values of that subject.
    package func appendConfiguration(
        of evaluator: inout Evaluator, row: Int = 0, _ values: Span<AttributeValue>, _ bytes: Span<UInt8>,
        to output: inout [UInt8]
    ) {
        template.append(
            evaluator.selectedDecisions(row: row), holdouts: evaluator.holdouts(row: row, values, bytes), to: &output)
    }

    /// The configuration of a subject as canonical JSON: sorted keys, no white space.
    public func configurationBytes(for subject: Subject, at instant: Instant) -> [UInt8] {
        configurationBytes(of: decide(subject, at: instant))
    }

    /// The configuration that decisions on one subject lead to.
    package func configurationBytes(of decided: SubjectDecisions) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(template.typicalLength)
        template.append(decided.decisions, holdouts: decided.holdouts, to: &output)
        return output
    }
}
