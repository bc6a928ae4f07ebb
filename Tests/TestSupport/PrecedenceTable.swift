import AllotConfiguration
import AllotCore
import AllotDefinitions

/// One line of the precedence table: an experiment in short form, a unit, and what the unit gets.
///
/// Everything that decides is tested with these rows: evaluation of one unit and of many, batches, explanations, SQL
/// and the preview of a change.
package struct PrecedenceRow: Sendable, CustomStringConvertible {
    /// The rule in words.
    package let rule: String
    /// Members of the experiment `tested`, in YAML; see ``sources`` for those that a row leaves out.
    let experiment: String
    let surroundings: [String: String]
    let unit: TestUnit
    let country: String
    package let variant: String?
    package let reason: Reason
    /// The variant that the preview of a change expects for the unit. It leaves forced units aside, and it lists the
    /// conditions of audiences instead of testing them.
    package let previewed: String?

    /// - Parameters:
    ///   - surroundings: other files of the folder by their names, in YAML.
    ///   - unit: any unit if not given.
    ///   - previewed: the variant if not given.
    init(
        _ rule: String, _ experiment: String, with surroundings: [String: String] = [:], unit: TestUnit = .any,
        country: String = "DE", gets variant: String?, _ reason: Reason, previewed: String?? = nil
    ) {
        self.rule = rule
        self.experiment = experiment
        self.surroundings = surroundings
        self.unit = unit
        self.country = country
        self.variant = variant
        self.reason = reason
        self.previewed = previewed ?? variant
    }

    package var description: String { rule }

    /// The key of the experiment that the row is about.
    package static let key = "tested"
    /// The instant of every decision.
    package static let instant = Instant(seconds: 1_780_272_000)  // 2026-06-01T00:00:00Z

    /// The unit's attributes: its ID, if it has one, and its country.
    package var attributes: [String: String] {
        var attributes = ["country": country]
        attributes["user_id"] = unit.identifier
        return attributes
    }

    /// The unit with its attributes as untyped text.
    package var subject: Subject {
        var subject = Subject()
        for (name, text) in attributes { subject.setUntyped(name, text) }
        return subject
    }

    /// The definitions, validated and compiled.
    package func plan() throws -> Plan {
        try DefinitionsLoader(now: Self.instant).load(sources).plan
    }

    /// The folder that the row stands for. Experiments are running and have the variants `blue` and `green`, of equal
    /// weight and without overrides, unless their members say otherwise; the layer `page` exists.
    private var sources: [DefinitionSource] {
        var files = [
            "base": "{ config_sections: { Page: { settings: { color: { value: white } } } } }",
            "layers": "{ page: {} }",
            Self.key: Self.experiment(experiment),
        ]
        for (name, text) in surroundings {
            files[name] = name == "holdouts" ? "{ \(text) }" : Self.experiment(text)
        }
        return files.sorted { $0.key < $1.key }.map { name, text in
            DefinitionSource(name: "\(name).yaml", bytes: Array(text.utf8))
        }
    }

    private static func experiment(_ members: String) -> String {
        var parts = members.isEmpty ? [] : [members]
        if !members.contains("status:") { parts.append("status: running") }
        if !members.contains("variants:") { parts.append("variants: [ { key: blue }, { key: green } ]") }
        return "{ \(parts.joined(separator: ", ")) }"
    }
}

/// The unit of a row.
enum TestUnit: Sendable {
    case missing
    case named(String)
    /// The first of `unit-0`, `unit-1`, … whose buckets lie in the ranges.
    case bucketed([Wish])

    /// A range that one of the two buckets under a salt has to lie in.
    struct Wish: Sendable {
        let half: KeyPath<BucketPair, Int> & Sendable
        let salt: String
        let range: Range<Int>
    }

    static let any = TestUnit.bucketed([])

    /// A unit whose slot of the layer `page` lies in a range.
    static func slot(_ range: Range<Int>) -> TestUnit {
        .bucketed([Wish(half: \.first, salt: "page", range: range)])
    }

    /// A unit whose first bucket under a salt lies in a range.
    static func first(_ salt: String, _ range: Range<Int>) -> TestUnit {
        .bucketed([Wish(half: \.first, salt: salt, range: range)])
    }

    /// A unit whose second bucket under a salt lies in a range.
    static func second(_ salt: String, _ range: Range<Int>) -> TestUnit {
        .bucketed([Wish(half: \.second, salt: salt, range: range)])
    }

    static func and(_ units: TestUnit...) -> TestUnit {
        .bucketed(units.flatMap(\.wishes))
    }

    private var wishes: [Wish] {
        if case .bucketed(let wishes) = self { wishes } else { [] }
    }

    /// The unit ID; `nil` if there is none.
    var identifier: String? {
        switch self {
        case .missing: nil
        case .named(let name): name
        case .bucketed(let wishes):
            (0..<10_000).lazy.map { "unit-\($0)" }.first { unitID in
                wishes.allSatisfy { wish in
                    guard let salt = Salt(wish.salt) else { return false }
                    return wish.range.contains(SaltedHash(salt).buckets(of: unitID)[keyPath: wish.half])
                }
            }
        }
    }
}

/// The order of checks, row by row: first every reason, then every check against the one that follows it.
package enum PrecedenceTable {
    /// The slots that the tested experiment has in these rows, and those that the other one has.
    private static let ours = "layer: page, slots: [ 0%..<50% ]"
    private static let theirs = "layer: page, slots: [ 50%..<100% ]"
    /// `ada` has a slot of the tested experiment, but is forced in its neighbour.
    private static let adaIsForcedNextDoor = ["rival": theirs + ", forced: { ada: green }"]
    /// Draws nothing: everyone in the audience gets `blue`.
    private static let onlyBlue = "unit: none, variants: [ { key: blue } ]"
    private static let blueIsRandomised = "variants: [ { key: blue }, { key: green, weight: 0 } ]"
    /// Three steps, the second of which begins at the instant of decision.
    private static let steps =
        "traffic: [ { from: 2026-05-01T00:00:00Z, share: 10% }, { from: 2026-06-01T00:00:00Z, share: 20% }, "
        + "{ from: 2026-06-01T00:00:00.000000001Z, share: 30% } ]"
    private static let gap =
        "variants: [ { key: blue, buckets: [ 0%..<30% ] }, { key: green, buckets: [ 60%..<100% ] } ]"

    private static let inOurSlots = TestUnit.slot(0..<500_000)
    private static let inTheirSlots = TestUnit.slot(500_000..<1_000_000)
    private static let isBlueElsewhere = TestUnit.second("other", 0..<500_000)
    private static let isInGap = TestUnit.second(PrecedenceRow.key, 300_000..<600_000)

    package static let rows: [PrecedenceRow] = reasons + details + withoutUnit + pairs

    /// One row for each reason.
    private static let reasons = [
        PrecedenceRow("Without a unit ID there is no assignment", "", unit: .missing, gets: nil, .noUnit),
        PrecedenceRow("A paused experiment assigns no unit", "status: paused", gets: nil, .paused),
        PrecedenceRow(
            "A forced unit gets the variant that the definition names",
            "forced: { ada: green }, " + blueIsRandomised, unit: .named("ada"), gets: "green", .forced,
            previewed: "blue"),
        PrecedenceRow("A draft assigns no unit", "status: draft", gets: nil, .draft),
        PrecedenceRow(
            "A unit that is forced in another experiment of the layer is displaced from this one",
            "\(ours), \(blueIsRandomised)", with: adaIsForcedNextDoor, unit: .named("ada"), gets: nil, .displaced,
            previewed: "blue"),
        PrecedenceRow(
            "Before its start an experiment assigns no unit", "starts: 2026-06-01T00:00:01Z", gets: nil, .notStarted),
        PrecedenceRow("From its end on an experiment assigns no unit", "ends: 2026-06-01T00:00:00Z", gets: nil, .ended),
        PrecedenceRow(
            "A unit that a holdout holds out is not assigned", "", with: ["holdouts": "quiet: { share: 10% }"],
            unit: .first("quiet", 0..<100_000), gets: nil, .holdout),
        PrecedenceRow("A unit outside the slots is not assigned", ours, unit: inTheirSlots, gets: nil, .slot),
        PrecedenceRow(
            "A unit without a required variant is not assigned", "requires: { other: [ green ] }",
            with: ["other": ""], unit: isBlueElsewhere, gets: nil, .requirement),
        PrecedenceRow(
            "A unit outside the audience is not assigned", "audience: { country: DE }, " + blueIsRandomised,
            country: "FR", gets: nil, .audience, previewed: "blue"),
        PrecedenceRow(
            "A concluded experiment gives the winner to its audience", "status: concluded, winner: green",
            gets: "green", .winner),
        PrecedenceRow(
            "A concluded experiment without a winner assigns no unit", "status: concluded", gets: nil, .concluded),
        PrecedenceRow(
            "An experiment without a draw gives everyone its variant", onlyBlue, gets: "blue", .everyone),
        PrecedenceRow(
            "A unit whose first bucket is not below the traffic is not assigned", "traffic: 40%",
            unit: .first(PrecedenceRow.key, 400_000..<1_000_000), gets: nil, .traffic),
        PrecedenceRow(
            "A unit whose second bucket no variant owns is not assigned", gap, unit: isInGap, gets: nil, .unallocated),
        PrecedenceRow(
            "A unit gets the variant that owns its second bucket", "",
            unit: .second(PrecedenceRow.key, 500_000..<1_000_000), gets: "green", .split),
    ]

    /// What a check does and does not look at.
    private static let details = [
        PrecedenceRow(
            "An empty unit ID counts as missing", "", unit: .named(""), gets: nil, .noUnit),
        PrecedenceRow(
            "A unit ID of more than 1024 bytes is not valid", "",
            unit: .named(String(repeating: "x", count: 1025)), gets: nil, .noUnit),
        PrecedenceRow(
            "A unit that is forced in an experiment with the same setting is displaced",
            "audience: { country: DE }, variants: [ { key: blue, overrides: { Page: { color: blue } } } ]",
            with: [
                "rival": "audience: { country: FR }, forced: { ada: green }, "
                    + "variants: [ { key: green, overrides: { Page: { color: green } } } ]"
            ], unit: .named("ada"), gets: nil, .displaced, previewed: "blue"),
        PrecedenceRow(
            "A draft that forces a unit displaces it from others", "\(ours), \(blueIsRandomised)",
            with: ["rival": theirs + ", status: draft, forced: { ada: green }"], unit: .named("ada"), gets: nil,
            .displaced, previewed: "blue"),
        PrecedenceRow(
            "A unit is displaced from the winner of a concluded experiment as well",
            "status: concluded, winner: green, " + ours, with: adaIsForcedNextDoor, unit: .named("ada"), gets: nil,
            .displaced, previewed: "green"),
        PrecedenceRow(
            "A paused experiment displaces no unit", "\(ours), \(blueIsRandomised)",
            with: ["rival": theirs + ", status: paused, forced: { ada: green }"], unit: .named("ada"), gets: "blue",
            .split),
        PrecedenceRow(
            "A concluded experiment displaces no unit", "\(ours), \(blueIsRandomised)",
            with: ["rival": theirs + ", status: concluded, forced: { ada: green }"], unit: .named("ada"), gets: "blue",
            .split),
        PrecedenceRow(
            "At its start an experiment assigns", "starts: 2026-06-01T00:00:00Z, " + blueIsRandomised, gets: "blue",
            .split),
        PrecedenceRow(
            "Just before its end an experiment assigns", "ends: 2026-06-01T00:00:01Z, " + blueIsRandomised,
            gets: "blue", .split),
        PrecedenceRow(
            "A holdout that names other experiments does not hold out of this one", blueIsRandomised,
            with: ["other": "", "holdouts": "quiet: { share: 100%, experiments: [ other ] }"], gets: "blue", .split),
        PrecedenceRow(
            "A holdout of a layer covers the experiments of the layer", ours,
            with: ["holdouts": "quiet: { share: 100%, layers: [ page ] }"], unit: inOurSlots, gets: nil, .holdout),
        PrecedenceRow(
            "A holdout of another unit does not hold out a subject without that unit", blueIsRandomised,
            with: ["holdouts": "quiet: { share: 100%, unit: org_id, experiments: [ tested ] }"], gets: "blue", .split,
            previewed: .some(nil)),
        PrecedenceRow(
            "A holdout keeps units from the winner of a concluded experiment as well",
            "status: concluded, winner: green", with: ["holdouts": "quiet: { share: 100% }"], gets: nil, .holdout),
        PrecedenceRow(
            "A requirement on a winner is met", "requires: { other: [ green ] }, " + blueIsRandomised,
            with: ["other": "status: concluded, winner: green"], gets: "blue", .split),
        PrecedenceRow(
            "A unit of a paused experiment meets none", "requires: { other: none }, " + blueIsRandomised,
            with: ["other": "status: paused"], gets: "blue", .split),
        PrecedenceRow(
            "A unit without a variant of the other experiment meets none",
            "requires: { other: none }, " + blueIsRandomised, with: ["other": "traffic: 50%"],
            unit: .first("other", 500_000..<1_000_000), gets: "blue", .split),
        PrecedenceRow(
            "A unit with a variant of the other experiment does not meet none",
            "requires: { other: none }, " + blueIsRandomised, with: ["other": "traffic: 50%"],
            unit: .first("other", 0..<500_000), gets: nil, .requirement),
        PrecedenceRow(
            "A winner of the other experiment does not meet none", "requires: { other: none }, " + blueIsRandomised,
            with: ["other": "status: concluded, winner: green"], gets: nil, .requirement),
        PrecedenceRow(
            "A unit forced in the other experiment does not meet none",
            "requires: { other: none }, " + blueIsRandomised,
            with: ["other": "status: draft, forced: { ada: green }"], unit: .named("ada"), gets: nil, .requirement,
            previewed: "blue"),
        PrecedenceRow(
            "A forced unit need not meet none", "requires: { other: none }, forced: { ada: green }",
            with: ["other": ""],
            unit: .named("ada"), gets: "green", .forced, previewed: .some(nil)),
        PrecedenceRow(
            "The step that has begun last decides", "\(steps), \(blueIsRandomised)",
            unit: .first(PrecedenceRow.key, 100_000..<200_000), gets: "blue", .split),
        PrecedenceRow(
            "A step that has not begun enrols no unit", "\(steps), \(blueIsRandomised)",
            unit: .first(PrecedenceRow.key, 200_000..<300_000), gets: nil, .traffic),
        PrecedenceRow(
            "Before the first step no unit is enrolled",
            "traffic: [ { from: 2026-06-01T00:00:00.001Z, share: 100% } ], " + blueIsRandomised, gets: nil, .traffic),
        PrecedenceRow(
            "A requirement on a draft is not met", "requires: { other: [ green ] }", with: ["other": "status: draft"],
            gets: nil, .requirement),
        PrecedenceRow(
            "A concluded experiment ignores its schedule",
            "status: concluded, winner: green, ends: 2026-01-01T00:00:00Z", gets: "green", .winner),
        PrecedenceRow(
            "A concluded experiment ignores its slots", "status: concluded, winner: green, " + ours,
            unit: inTheirSlots, gets: "green", .winner),
    ]

    /// Experiments that draw nothing.
    private static let withoutUnit = [
        PrecedenceRow("Without a draw no unit ID is needed", onlyBlue, unit: .missing, gets: "blue", .everyone),
        PrecedenceRow(
            "Without a draw the length of a unit ID does not matter", onlyBlue,
            unit: .named(String(repeating: "x", count: 1025)), gets: "blue", .everyone),
        PrecedenceRow(
            "Without a draw a paused experiment assigns no unit", "status: paused, " + onlyBlue, unit: .missing,
            gets: nil, .paused),
        PrecedenceRow(
            "Without a draw a draft assigns no unit", "status: draft, " + onlyBlue, unit: .missing, gets: nil, .draft),
        PrecedenceRow(
            "Without a draw a unit that is forced in an experiment with the same setting is displaced",
            "unit: none, audience: { country: DE }, variants: [ { key: blue, overrides: { Page: { color: blue } } } ]",
            with: [
                "rival": "audience: { country: FR }, forced: { ada: green }, "
                    + "variants: [ { key: green, overrides: { Page: { color: green } } } ]"
            ], unit: .named("ada"), gets: nil, .displaced, previewed: "blue"),
        PrecedenceRow(
            "Without a draw no unit is assigned before the start", "starts: 2026-06-01T00:00:01Z, " + onlyBlue,
            unit: .missing, gets: nil, .notStarted),
        PrecedenceRow(
            "Without a draw no unit is assigned from the end on", "ends: 2026-06-01T00:00:00Z, " + onlyBlue,
            unit: .missing, gets: nil, .ended),
        PrecedenceRow(
            "Without a draw no holdout covers an experiment", onlyBlue, with: ["holdouts": "quiet: { share: 100% }"],
            gets: "blue", .everyone),
        PrecedenceRow(
            "Without a unit ID a requirement on a draw is not met", "requires: { other: [ green ] }, " + onlyBlue,
            with: ["other": "variants: [ { key: green } ]"], unit: .missing, gets: nil, .requirement,
            previewed: "blue"),
        PrecedenceRow(
            "Without a unit ID there is no variant of a draw, as required", "requires: { other: none }, " + onlyBlue,
            with: ["other": "variants: [ { key: green } ]"], unit: .missing, gets: "blue", .everyone,
            previewed: .some(nil)),
        PrecedenceRow(
            "A draw may require the variant that everyone gets", "requires: { other: [ blue ] }, " + blueIsRandomised,
            with: ["other": onlyBlue], gets: "blue", .split),
        PrecedenceRow(
            "A draw may require that not everyone gets a variant", "requires: { other: none }, " + blueIsRandomised,
            with: ["other": onlyBlue], gets: nil, .requirement),
        PrecedenceRow(
            "Without a draw the audience decides", "audience: { country: DE }, " + onlyBlue, unit: .missing,
            country: "FR", gets: nil, .audience, previewed: "blue"),
        PrecedenceRow(
            "Without a draw a concluded experiment gives its winner", "status: concluded, winner: blue, " + onlyBlue,
            unit: .missing, gets: "blue", .winner),
        PrecedenceRow(
            "Without a draw a concluded experiment without a winner assigns no unit", "status: concluded, " + onlyBlue,
            unit: .missing, gets: nil, .concluded),
    ]

    /// One row for each two neighbouring checks that could both give the reason.
    private static let pairs = [
        PrecedenceRow("No unit beats paused", "status: paused", unit: .missing, gets: nil, .noUnit),
        PrecedenceRow(
            "Paused beats forced", "status: paused, forced: { ada: green }", unit: .named("ada"), gets: nil, .paused),
        PrecedenceRow(
            "Forced beats draft", "status: draft, forced: { ada: green }", unit: .named("ada"), gets: "green", .forced,
            previewed: .some(nil)),
        PrecedenceRow(
            "Draft beats displaced", "status: draft, " + ours, with: adaIsForcedNextDoor, unit: .named("ada"),
            gets: nil, .draft),
        PrecedenceRow(
            "Displaced beats schedule", "starts: 2027-01-01T00:00:00Z, " + ours, with: adaIsForcedNextDoor,
            unit: .named("ada"), gets: nil, .displaced),
        PrecedenceRow(
            "Schedule beats holdout: before the start", "starts: 2027-01-01T00:00:00Z",
            with: ["holdouts": "quiet: { share: 100% }"], gets: nil, .notStarted),
        PrecedenceRow(
            "Schedule beats holdout: after the end", "ends: 2026-01-01T00:00:00Z",
            with: ["holdouts": "quiet: { share: 100% }"], gets: nil, .ended),
        PrecedenceRow(
            "Holdout beats slot", ours, with: ["holdouts": "quiet: { share: 100% }"], unit: inTheirSlots, gets: nil,
            .holdout),
        PrecedenceRow(
            "Slot beats requirement", "\(ours), requires: { other: [ green ] }", with: ["other": ""],
            unit: .and(inTheirSlots, isBlueElsewhere), gets: nil, .slot),
        PrecedenceRow(
            "Requirement beats audience", "requires: { other: [ green ] }, audience: { country: DE }",
            with: ["other": ""], unit: isBlueElsewhere, country: "FR", gets: nil, .requirement),
        PrecedenceRow(
            "Audience beats a winner", "status: concluded, winner: green, audience: { country: DE }", country: "FR",
            gets: nil, .audience, previewed: "green"),
        PrecedenceRow(
            "Audience beats a conclusion without a winner", "status: concluded, audience: { country: DE }",
            country: "FR", gets: nil, .audience),
        PrecedenceRow(
            "A winner beats traffic", "status: concluded, winner: green, traffic: 0%", gets: "green", .winner),
        PrecedenceRow(
            "A conclusion without a winner beats traffic", "status: concluded, traffic: 0%", gets: nil, .concluded),
        PrecedenceRow("Traffic beats unallocated", "traffic: 0%, " + gap, unit: isInGap, gets: nil, .traffic),
        PrecedenceRow(
            "Unallocated beats split: no variant is given instead",
            "variants: [ { key: blue, buckets: [ 0%..<99.99% ] } ]",
            unit: .second(PrecedenceRow.key, 999_900..<1_000_000), gets: nil, .unallocated),
    ]
}
