import Allot
import AllotConfiguration

/// Finds experiments that one unit could be in at one instant and that would set the same thing, and slots that are
/// held twice.
///
/// Only experiments that share a setting, a layer or a forced unit are compared.
struct ConflictCheck {
    private let experiments: [ExperimentFile]
    private let shapes: [AudienceShape]
    /// The overrides of each experiment that can be held.
    private let overrides: [[Override]]

    /// One value that a variant sets.
    private struct Override {
        let variant: Int
        let path: [String]
    }

    /// A file with more conflicts than this is not listed further.
    private static let reportLimit = 20

    init(_ experiments: [ExperimentFile]) {
        self.experiments = experiments
        shapes = experiments.map { AudienceShape($0.definition.audience) }
        overrides = experiments.map { file in
            file.definition.variants.indices.filter { file.definition.canHold(variant: $0) }.flatMap { index in
                file.definition.variants[index].overriddenPaths.map { Override(variant: index, path: $0) }
            }
        }
    }

    func problems() -> [Problem] {
        settings() + slots() + forced()
    }

    // MARK: Settings

    private func settings() -> [Problem] {
        var bySetting: [[UTF8Key]: [Int]] = [:]
        for index in experiments.indices {
            for setting in Set(overrides[index].map { $0.path.prefix(2).map(UTF8Key.init) }) {
                bySetting[setting, default: []].append(index)
            }
        }
        var problems: [Problem] = []
        var counts = Array(repeating: 0, count: experiments.count)
        for (setting, indices) in bySetting.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            for (position, later) in indices.enumerated() {
                for earlier in indices[..<position] {
                    guard let pair = collision(earlier, later, setting), canMeet(earlier, later) else { continue }
                    counts[later] += 1
                    if counts[later] <= Self.reportLimit { problems.append(conflict(earlier, later, pair)) }
                }
            }
        }
        for (index, count) in counts.enumerated() where count > Self.reportLimit {
            let file = experiments[index]
            problems.append(
                Problem(
                    severity: .error, file: file.file, position: file.places.root.position,
                    message: "\(count - Self.reportLimit) further conflicts of \(file.definition.key) are not listed; "
                        + "mend these first", path: nil))
        }
        return problems
    }

    /// The first two overrides of a setting that meet, in variants that one unit could hold both of.
    private func collision(_ first: Int, _ second: Int, _ setting: [UTF8Key]) -> (Override, Override)? {
        for left in overrides[first] where left.path.prefix(2).elementsEqual(setting, by: { UTF8Key($0) == $1 }) {
            for right in overrides[second] where SettingPath.overlap(left.path, right.path) {
                if canHoldBoth(first, left.variant, second, right.variant) { return (left, right) }
            }
        }
        return nil
    }

    private func canHoldBoth(_ first: Int, _ left: Int, _ second: Int, _ right: Int) -> Bool {
        func admits(_ experiment: Int, _ other: Int, _ variant: Int) -> Bool {
            let target = experiments[other].definition
            let requirement = experiments[experiment].definition.requirements.first { $0.experiment == target.key }
            return requirement?.variants.contains(target.variants[variant].key) ?? true
        }
        return admits(first, second, right) && admits(second, first, left)
    }

    private func conflict(_ earlier: Int, _ later: Int, _ pair: (Override, Override)) -> Problem {
        let (first, second) = (experiments[earlier], experiments[later])
        let path = pair.0.path.count >= pair.1.path.count ? pair.0.path : pair.1.path
        let place = second.place(of: pair.1.path, variant: pair.1.variant)
        let other = first.place(of: pair.0.path, variant: pair.0.variant)
        return Problem(
            severity: .error, file: second.file, position: place.keyPosition,
            message: "conflict: \(second.definition.key) (variant \(second.definition.variants[pair.1.variant].key)) and "
                + "\(first.definition.key) (variant \(first.definition.variants[pair.0.variant].key), "
                + "\(first.file):\(other.keyPosition)) both override \(SettingPath.text(path)), and one unit could be in both; "
                + "put them into one layer with disjoint slots, or give them disjoint audiences or schedules",
            path: place.path.isRoot ? nil : place.path.description)
    }

    // MARK: Who can meet

    /// Whether one unit could hold a variant of both at one instant, as far as can be proved.
    private func canMeet(_ first: Int, _ second: Int) -> Bool {
        let (left, right) = (experiments[first].definition, experiments[second].definition)
        if left.forcesUnits, right.forcesUnits {
            if let layer = left.layer, layer == right.layer, BucketRange.firstOverlap(left.slots, right.slots) == nil {
                return false
            }
            if Self.areApartInTime(left, right) { return false }
        }
        for requirement in left.requirements {
            guard let other = right.requirements.first(where: { $0.experiment == requirement.experiment }) else { continue }
            if Set(requirement.variants).isDisjoint(with: other.variants) { return false }
        }
        return !shapes[first].isDisjoint(from: shapes[second])
    }

    private static func areApartInTime(_ left: ExperimentDefinition, _ right: ExperimentDefinition) -> Bool {
        func isBefore(_ first: ExperimentDefinition, _ second: ExperimentDefinition) -> Bool {
            guard let ends = first.ends, let starts = second.starts else { return false }
            return ends <= starts
        }
        return isBefore(left, right) || isBefore(right, left)
    }

    // MARK: Slots

    private func slots() -> [Problem] {
        var problems: [Problem] = []
        let live = experiments.indices.filter { experiments[$0].definition.forcesUnits }
        for (_, indices) in Dictionary(grouping: live, by: { experiments[$0].definition.layer }).sorted(by: {
            ($0.key ?? "") < ($1.key ?? "")
        }) {
            let layered = indices.filter { experiments[$0].definition.layer != nil }
            let sorted = layered.flatMap { index in experiments[index].definition.slots.map { (range: $0, index: index) } }
                .sorted { ($0.range.lowerBound, $0.index) < ($1.range.lowerBound, $1.index) }
            var open: [(range: Range<Int>, index: Int)] = []
            var reported: Set<[Int]> = []
            for entry in sorted {
                open.removeAll { $0.range.upperBound <= entry.range.lowerBound }
                for other in open where other.index != entry.index {
                    let pair = [min(other.index, entry.index), max(other.index, entry.index)]
                    let (first, second) = (experiments[pair[0]].definition, experiments[pair[1]].definition)
                    guard !Self.areApartInTime(first, second), reported.insert(pair).inserted else { continue }
                    problems.append(sharedSlots(pair[0], pair[1], entry.range.clamped(to: other.range)))
                }
                open.append(entry)
            }
        }
        return problems
    }

    private func sharedSlots(_ earlier: Int, _ later: Int, _ range: Range<Int>) -> Problem {
        let (first, second) = (experiments[earlier], experiments[later])
        let field = second.places.slots ?? second.places.root
        return Problem(
            severity: .error, file: second.file, position: field.position,
            message: "the slots \(range.lowerBound)..<\(range.upperBound) of the layer \(second.definition.layer ?? "") are also "
                + "held by \(first.definition.key) (\(first.file):\((first.places.slots ?? first.places.root).position)); "
                + "a slot belongs to one experiment at a time",
            path: field.path.description)
    }

    // MARK: Forced units

    /// Forced units pass every gate, so no two experiments that share a setting or a layer may force the same one.
    private func forced() -> [Problem] {
        var byUnit: [UTF8Key: [Int]] = [:]
        let forcing = experiments.indices.filter {
            experiments[$0].definition.forcesUnits && !experiments[$0].definition.forced.isEmpty
        }
        for index in forcing {
            for unit in experiments[index].definition.forced { byUnit[UTF8Key(unit.unitID), default: []].append(index) }
        }
        var problems: [Problem] = []
        for (unit, indices) in byUnit.sorted(by: { $0.key < $1.key }) {
            for (position, later) in indices.enumerated() {
                for earlier in indices[..<position] where experiments[earlier].unit == experiments[later].unit {
                    guard let shared = shared(earlier, later) else { continue }
                    problems.append(
                        forcedTwice(
                            earlier, later, experiments[later].places.forced[unit],
                            "the unit \(QuotedText(unit.text)) is also forced in \(experiments[earlier].definition.key) "
                                + "(\(experiments[earlier].file)), which shares \(shared); force it in one of them"))
                }
            }
        }
        for (position, later) in forcing.enumerated() {
            for earlier in forcing[..<position] where experiments[earlier].unit != experiments[later].unit {
                guard let shared = sharedSetting(earlier, later) else { continue }
                problems.append(
                    forcedTwice(
                        earlier, later, experiments[later].places.forced.values.min { $0.position < $1.position },
                        "this forces units by \(experiments[later].unit) and \(experiments[earlier].definition.key) "
                            + "(\(experiments[earlier].file)) by \(experiments[earlier].unit), and they share \(shared): one "
                            + "subject could be forced in both; force units in one of them"))
            }
        }
        return problems
    }

    private func forcedTwice(_ earlier: Int, _ later: Int, _ field: Field?, _ message: String) -> Problem {
        let file = experiments[later]
        let place = field ?? file.places.root
        return Problem(
            severity: .error, file: file.file, position: place.keyPosition, message: message,
            path: place.path.isRoot ? nil : place.path.description)
    }

    /// What two experiments have in common, in words.
    private func shared(_ first: Int, _ second: Int) -> String? {
        if let layer = experiments[first].definition.layer, layer == experiments[second].definition.layer {
            return "the layer \(layer)"
        }
        return sharedSetting(first, second)
    }

    private func sharedSetting(_ first: Int, _ second: Int) -> String? {
        for left in overrides[first] {
            for right in overrides[second] where SettingPath.overlap(left.path, right.path) {
                return "the setting \(SettingPath.text(left.path.count >= right.path.count ? left.path : right.path))"
            }
        }
        return nil
    }
}

extension ExperimentFile {
    fileprivate var unit: String { definition.unit }

    /// Where a variant sets a value.
    fileprivate func place(of path: [String], variant: Int) -> Field {
        places.overrides[variant][path.map(UTF8Key.init)] ?? places.root
    }
}

extension ExperimentDefinition {
    /// Whether some unit could hold a variant: of a concluded experiment only the winner, of a paused one none.
    fileprivate func canHold(variant index: Int) -> Bool {
        switch status {
        case .paused: false
        case .concluded: winner == variants[index].key
        case .draft, .running: true
        }
    }
}
