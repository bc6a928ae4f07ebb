import AllotConfiguration

/// A plan's configuration, serialised as far as it does not depend on the unit, so that most of an answer is copied.
/// ``Plan/configuration(for:at:)`` is the plain form of the same merge. Both give the same bytes.
struct ConfigurationTemplate: Sendable {
    /// The texts that make up all configurations.
    private var texts = TextStore()
    private let layout: BaseLayout
    /// By setting the experiments that compare it, in their order: some variant overrides it.
    private var comparing: [[Int]]
    private var patches: [Patch] = []
    private var variants: [Variant] = []
    /// By experiment the index of its first variant in `variants`.
    private var variantStarts: [Int] = []
    /// By experiment `"KEY":{"bucket":`, whose last member is left out for an assignment without a bucket.
    private var starts: [Range<Int>] = []
    private let periods: [Period?]
    /// By reason `"reason":"REASON",`, for variants without a bucket.
    private let reasons: [Range<Int>]
    private let longestReason: Int
    private var holdoutNames: [Range<Int>] = []
    /// The members of `meta` up to the opening brace of `assignments`, from its closing brace to `holdouts`, and the
    /// rest.
    private var (metaStart, metaMiddle, metaEnd) = (0..<0, 0..<0, 0..<0)
    private let holdoutsStart: Range<Int>

    /// An overridden setting: its value, and the serialised result of merging it with the base value.
    private struct Patch: Sendable {
        let index: Int
        let value: JSONValue
        let merged: Range<Int>
    }

    private struct Variant: Sendable {
        /// Its patches, in the order of the settings.
        let patches: Range<Int>
        /// `,"reason":"split","revision":…}`, after the bucket. Another reason takes the place of this one.
        let end: Range<Int>
        /// The parts that take the place of `end` where a window decided.
        let windowed: WindowedEnd?
    }

    /// The end of an entry of an experiment with a period.
    private struct WindowedEnd: Sendable {
        /// `,"reason":"split","revision":…,"since":"`
        let head: Range<Int>
        /// `","variant":…,"window":`, after the start of the window. The number and a brace follow.
        let tail: Range<Int>
        /// The most bytes of a window's start and number.
        static let room = 64
    }

    private static let bucketMember = Array("\"bucket\":".utf8)
    /// The text between a bucket and the revision.
    private static let splitReason = Array(",\"reason\":\"\(Reason.split.text)\",".utf8)

    /// A template without `meta`, which ``add(meta:)`` adds.
    init(_ definitions: Definitions) {
        var texts = TextStore()
        let layout = BaseLayout(definitions.base, &texts)
        self.layout = layout
        comparing = Array(repeating: [], count: layout.values.count)
        holdoutsStart = texts.add(",\"\(MetaKey.holdouts)\":[")
        holdoutNames = definitions.holdouts.map { texts.add(JSONValue.string($0.name)) }
        reasons = Reason.allCases.map { texts.add("\"reason\":\"\($0.text)\",") }
        longestReason = reasons.map(\.count).max() ?? 0
        periods = definitions.experiments.indices.map { definitions.experiments[$0].draw?.period }
        let (bucketMember, splitReason) = (Self.bucketMember, Self.splitReason)
        for index in definitions.experiments.indices {
            let experiment = definitions.experiments[index]
            starts.append(texts.add(JSONValue.string(experiment.key).canonicalBytes, Array(":{".utf8), bucketMember))
            variantStarts.append(variants.count)
            let compared = experiment.comparedSettings
            for variant in experiment.variants {
                let start = patches.count
                patches += Self.patches(variant.overrides, layout, &texts)
                for patch in patches[start...] where comparing[patch.index].last != index {
                    comparing[patch.index].append(index)
                }
                // `"revision":"…","settings":[…],"variant":"…"}`
                let members = experiment.assignmentMembers(variant, comparing: compared)
                let end = Array(JSONValue.object(members).canonicalBytes.dropFirst())
                let windowed = periods[index].map { _ in Self.windowedEnd(members, &texts) }
                variants.append(
                    Variant(patches: start..<patches.count, end: texts.add(splitReason, end), windowed: windowed))
            }
        }
        self.texts = texts
    }

    private static func windowedEnd(_ members: JSONObject, _ texts: inout TextStore) -> WindowedEnd {
        var (before, after) = (JSONObject(), JSONObject())
        for member in members.members {
            if UTF8Order.precedes(member.key, AssignmentKey.since) {
                before[member.key] = member.value
            } else {
                after[member.key] = member.value
            }
        }
        func inner(_ object: JSONObject) -> [UInt8] {
            Array(JSONValue.object(object).canonicalBytes.dropFirst().dropLast())
        }
        return WindowedEnd(
            head: texts.add(splitReason, inner(before), Array(",\"\(AssignmentKey.since)\":\"".utf8)),
            tail: texts.add(Array("\",".utf8), inner(after), Array(",\"\(AssignmentKey.window)\":".utf8)))
    }

    private static func patches(_ overrides: JSONObject, _ layout: BaseLayout, _ texts: inout TextStore) -> [Patch] {
        var patches: [Patch] = []
        for section in overrides.members {
            guard case .object(let settings) = section.value, let indices = layout.indices[UTF8Key(section.key)]
            else { continue }
            for setting in settings.members {
                guard let index = indices[UTF8Key(setting.key)] else { continue }
                let merged = layout.baseValues[index].merging(setting.value)
                patches.append(Patch(index: index, value: setting.value, merged: texts.add(merged)))
            }
        }
        return patches.sorted { $0.index < $1.index }
    }

    /// Adds the constant members of `meta`, divided at the places of `assignments` and `holdouts`. `assignments` is
    /// always present, so the commas are constant too.
    mutating func add(meta: JSONObject) {
        var parts = ["", "}", ""]
        for member in meta.members {
            let part =
                UTF8Order.precedes(member.key, MetaKey.assignments)
                ? 0 : UTF8Order.precedes(member.key, MetaKey.holdouts) ? 1 : 2
            let text = JSONValue.string(member.key).canonicalText + ":" + member.value.canonicalText
            parts[part] += part == 0 ? text + "," : "," + text
        }
        metaStart = texts.add(parts[0] + "\"\(MetaKey.assignments)\":{")
        metaMiddle = texts.add(parts[1])
        metaEnd = texts.add(parts[2] + "}}")
    }

    func experiments(comparing section: String, _ setting: String) -> [Int] {
        guard let index = layout.indices[UTF8Key(section)]?[UTF8Key(setting)] else { return [] }
        return comparing[index]
    }

    func forEachOverride(_ body: (_ experiment: Int, _ variant: Int, _ setting: Int, _ value: JSONValue) -> Void) {
        for experiment in variantStarts.indices {
            let start = variantStarts[experiment]
            let end = experiment + 1 < variantStarts.count ? variantStarts[experiment + 1] : variants.count
            for variant in start..<end {
                for patch in variants[variant].patches {
                    body(experiment, variant - start, patches[patch].index, patches[patch].value)
                }
            }
        }
    }

    // MARK: Answering

    func append(_ decisions: [Decision], holdouts: [Int], at instant: Instant, to output: inout [UInt8]) {
        write(decisions, holdouts: holdouts, at: instant) { bound, fill in
            output.append(addingCapacity: bound) { (span: inout OutputSpan<UInt8>) in
                span.withUnsafeMutableBufferPointer { buffer, count in
                    let room = UnsafeMutableBufferPointer(rebasing: buffer[count...])
                    count += fill(UnsafeMutableRawBufferPointer(room))
                }
            }
        }
    }

    func write(
        _ decisions: [Decision], holdouts: [Int], at instant: Instant,
        _ output: (_ bound: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Void
    ) {
        // The settings that change, in their order; changes of one setting in the order of their experiments.
        var changes: [Change] = []
        changes.reserveCapacity(16)
        var bound = layout.sections.count + metaStart.count + metaMiddle.count + holdoutsStart.count + metaEnd.count + 1
        for experiment in decisions.indices {
            guard let index = decisions[experiment].variant else { continue }
            let variant = variants[variantStarts[experiment] + index]
            bound += BucketDigits.room + 1 + starts[experiment].count + longestReason + variant.end.count
            if let windowed = variant.windowed { bound += windowed.head.count + windowed.tail.count + WindowedEnd.room }
            for patch in variant.patches {
                changes.append(Change(setting: Int32(patches[patch].index), patch: Int32(patch)))
                bound += patches[patch].merged.count
            }
        }
        for holdout in holdouts { bound += holdoutNames[holdout].count + 1 }
        changes.sort()
        let combined = combinedValues(changes)
        for value in combined { bound += value.count }
        output(bound) { room in
            texts.write(into: room) { writer in
                writeSections(changes, combined, &writer)
                writeMeta(decisions, holdouts, at: instant, &writer)
            }
        }
    }

    /// A setting that a variant changes. Patches are in the order of their experiments.
    private struct Change: Comparable {
        let setting: Int32
        let patch: Int32

        static func < (left: Self, right: Self) -> Bool {
            left.setting == right.setting ? left.patch < right.patch : left.setting < right.setting
        }
    }

    /// The values of settings that several experiments change, which is rare, in the order of the settings.
    private func combinedValues(_ changes: [Change]) -> [[UInt8]] {
        var values: [[UInt8]] = []
        var start = 0
        while start < changes.count {
            let end = Self.end(of: start, in: changes)
            if end > start + 1 {
                let base = layout.baseValues[Int(changes[start].setting)]
                let merged = changes[start..<end].reduce(base) { $0.merging(patches[Int($1.patch)].value) }
                values.append(merged.canonicalBytes)
            }
            start = end
        }
        return values
    }

    private static func end(of start: Int, in changes: [Change]) -> Int {
        var end = start + 1
        while end < changes.count, changes[end].setting == changes[start].setting { end += 1 }
        return end
    }

    private func writeSections(_ changes: [Change], _ combined: [[UInt8]], _ writer: inout TextStore.Writer) {
        var copied = layout.sections.lowerBound
        var start = 0
        var nextCombined = 0
        while start < changes.count {
            let value = layout.values[Int(changes[start].setting)]
            writer.write(copied..<value.lowerBound)
            copied = value.upperBound
            let end = Self.end(of: start, in: changes)
            if end == start + 1 {
                writer.write(patches[Int(changes[start].patch)].merged)
            } else {
                writer.write(bytes: combined[nextCombined])
                nextCombined += 1
            }
            start = end
        }
        writer.write(copied..<layout.sections.upperBound)
    }

    private func writeMeta(
        _ decisions: [Decision], _ holdouts: [Int], at instant: Instant, _ writer: inout TextStore.Writer
    ) {
        writer.write(metaStart)
        let (bucketMember, splitReason) = (Self.bucketMember.count, Self.splitReason.count)
        var isFirst = true
        for experiment in decisions.indices {
            let decision = decisions[experiment]
            guard let index = decision.variant else { continue }
            if !isFirst { writer.write(UInt8(ascii: ",")) }
            isFirst = false
            let variant = variants[variantStarts[experiment] + index]
            let (start, end) = (starts[experiment], variant.end)
            if let bucket = decision.bucket {
                writer.write(start)
                writer.write(bucket: bucket)
                if let windowed = variant.windowed, let window = periods[experiment]?.window(at: instant) {
                    writer.write(windowed.head)
                    writer.write(bytes: Array(window.since.description.utf8))
                    writer.write(windowed.tail)
                    writer.write(bytes: Array("\(window.number)}".utf8))
                } else {
                    writer.write(end)
                }
            } else {
                writer.write(start.dropLast(bucketMember))
                writer.write(reasons[decision.reasonNumber])
                writer.write(end.dropFirst(splitReason))
            }
        }
        writer.write(metaMiddle)
        if !holdouts.isEmpty {
            writer.write(holdoutsStart)
            for (index, holdout) in holdouts.enumerated() {
                if index > 0 { writer.write(UInt8(ascii: ",")) }
                writer.write(holdoutNames[holdout])
            }
            writer.write(UInt8(ascii: "]"))
        }
        writer.write(metaEnd)
    }
}

extension Plan {
    /// Appends the configuration of a subject in the group that an evaluator decided last, at an instant, as canonical
    /// JSON.
    package func appendConfiguration(
        of evaluator: inout Evaluator, row: Int = 0, at instant: Instant, _ values: Span<AttributeValue>,
        _ bytes: Span<UInt8>, to output: inout [UInt8]
    ) {
        template.append(
            evaluator.selectedDecisions(row: row), holdouts: evaluator.holdouts(row: row, values, bytes), at: instant,
            to: &output)
    }

    /// Calls `body` with each value that a variant overrides, in the order of experiments, variants and settings, by
    /// their indices: a setting's is that among those of all sections of the base configuration.
    package func forEachOverride(
        _ body: (_ experiment: Int, _ variant: Int, _ setting: Int, _ value: JSONValue) -> Void
    ) { template.forEachOverride(body) }

    /// The configuration of a subject as canonical JSON, with sorted keys and without white space.
    public func configurationBytes(for subject: Subject, at instant: Instant) -> [UInt8] {
        configurationBytes(of: decide(subject, at: instant))
    }

    /// Writes the configuration that follows from decisions on one subject into memory that the caller provides:
    /// `output` makes room for `bound` bytes, calls `fill` with it, and keeps as many bytes as `fill` returns.
    package func writeConfiguration(
        of decided: SubjectDecisions, _ output: (_ bound: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Void
    ) { template.write(decided.decisions, holdouts: decided.holdouts, at: decided.instant, output) }

    package func configurationBytes(of decided: SubjectDecisions) -> [UInt8] {
        var output: [UInt8] = []
        template.append(decided.decisions, holdouts: decided.holdouts, at: decided.instant, to: &output)
        return output
    }
}
