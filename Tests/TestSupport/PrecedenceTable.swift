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
    /// Other files of the folder by their names, in YAML.
    let surroundings: [String: String]
    let unitID: String?
    let country: String
    package let variant: String?
    package let reason: Reason
    /// The variant that the preview of a change expects for the unit. It leaves forced units aside, and it lists the
    /// conditions of audiences instead of testing them.
    package let previewed: String?

    /// - Parameter line: Cells with " | " between them, in which a hyphen stands for nothing: the rule, the experiment,
    ///   the unit, the variant and the reason; then surroundings, the country if it is not DE, and the preview if it is
    ///   not the variant.
    fileprivate init(_ line: String) {
        let cells = line.split(separator: " | ").map { $0 == "-" ? "" : String($0) }
        precondition(cells.count >= 4, line)
        var named: [String: String] = [:]
        for cell in cells.dropFirst(4) {
            let parts = cell.split(separator: ": ", maxSplits: 1).map(String.init)
            named[parts[0]] = parts[1] == "-" ? "" : parts[1]
        }
        let result = cells[3].split(separator: " ").map(String.init)
        guard let reason = Reason.allCases.first(where: { $0.text == result.last }) else { preconditionFailure(line) }
        (rule, experiment, unitID) = (cells[0], cells[1], Self.unitID(cells[2]))
        country = named.removeValue(forKey: "country") ?? "DE"
        let variant = result.count > 1 ? result[0] : nil
        (self.variant, self.reason) = (variant, reason)
        if let preview = named.removeValue(forKey: "preview") {
            previewed = preview.isEmpty ? nil : preview
        } else {
            previewed = variant
        }
        surroundings = named
    }

    /// The unit ID of a cell: a name, or the first of `unit-0`, `unit-1`, … whose `first` or `second` buckets under
    /// some salts are in ranges.
    private static func unitID(_ cell: String) -> String? {
        switch cell {
        case "missing": return nil
        case "empty": return ""
        case "long": return String(repeating: "x", count: 1025)
        case "any": return "unit-0"
        default: break
        }
        guard cell.contains(" ") else { return cell }
        let wishes = cell.split(separator: " and ").map { wish in
            let words = wish.split(separator: " ").map(String.init)
            let ends = words[2].split(separator: "..<").compactMap { Int($0) }
            guard let salt = Salt(words[1]) else { preconditionFailure(cell) }
            return (isFirst: words[0] == "first", hash: SaltedHash(salt), range: ends[0]..<ends[1])
        }
        return (0..<10_000).lazy.map { "unit-\($0)" }.first { unitID in
            wishes.allSatisfy { wish in
                let buckets = wish.hash.buckets(of: unitID)
                return wish.range.contains(wish.isFirst ? buckets.first : buckets.second)
            }
        }
    }

    package var description: String { rule }

    /// The key of the experiment that the row is about.
    package static let key = "tested"
    /// The instant of every decision.
    package static let instant = Instant(seconds: 1_780_272_000)  // 2026-06-01T00:00:00Z

    /// The unit's attributes: its ID, if it has one, and its country.
    package var attributes: [String: String] {
        var attributes = ["country": country]
        attributes["user_id"] = unitID
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

/// The order of checks, row by row: first every reason, then every check against the one that follows it.
package enum PrecedenceTable {
    package static let rows: [PrecedenceRow] = {
        let lines = abbreviations.reduce(table.replacing("\n| ", with: " | ")) { text, entry in
            text.replacing(entry.key, with: entry.value)
        }
        return lines.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { PrecedenceRow(String($0)) }
    }()

    private static let abbreviations: KeyValuePairs = [
        // `ada` has a slot of the tested experiment, but is forced in its neighbour.
        "NEXTDOOR": "THEIRS, forced: { ada: green }",
        // The slots that the tested experiment has, and those that another one has.
        "OURS": "layer: page, slots: [ 0%..<50% ]", "THEIRS": "layer: page, slots: [ 50%..<100% ]",
        // Draws nothing: everyone in the audience gets `blue`.
        "EVERYONE": "unit: none, variants: [ { key: blue } ]",
        "ALLBLUE": "variants: [ { key: blue }, { key: green, weight: 0 } ]",
        "SETSBLUE": "variants: [ { key: blue, overrides: { Page: { color: blue } } } ]",
        "SETSGREEN": "variants: [ { key: green, overrides: { Page: { color: green } } } ]",
        "GAP": "variants: [ { key: blue, buckets: [ 0%..<30% ] }, { key: green, buckets: [ 60%..<100% ] } ]",
        // Three steps, the second of which begins at the instant of decision.
        "STEPS": "traffic: [ { from: 2026-05-01T00:00:00Z, share: 10% }, { from: 2026-06-01T00:00:00Z, share: 20% }, "
            + "{ from: 2026-06-01T00:00:00.000000001Z, share: 30% } ]",
    ]

    private static let table = """
        # Every reason.
        Without a unit ID there is no assignment | - | missing | no-unit
        A paused experiment assigns no unit | status: paused | any | paused
        A forced unit gets the variant that the definition names | forced: { ada: green }, ALLBLUE | ada | green forced
        | preview: blue
        A draft assigns no unit | status: draft | any | draft
        A unit that is forced in another experiment of the layer is displaced from this one | OURS, ALLBLUE | ada
        | displaced | rival: NEXTDOOR | preview: blue
        Before its start an experiment assigns no unit | starts: 2026-06-01T00:00:01Z | any | not-started
        From its end on an experiment assigns no unit | ends: 2026-06-01T00:00:00Z | any | ended
        A unit that a holdout holds out is not assigned | - | first quiet 0..<100000 | holdout
        | holdouts: quiet: { share: 10% }
        A unit outside the slots is not assigned | OURS | first page 500000..<1000000 | slot
        A unit without a required variant is not assigned | requires: { other: [ green ] } | second other 0..<500000
        | requirement | other: -
        A unit outside the audience is not assigned | audience: { country: DE }, ALLBLUE | any | audience | country: FR
        | preview: blue
        A concluded experiment gives the winner to its audience | status: concluded, winner: green | any | green winner
        A concluded experiment without a winner assigns no unit | status: concluded | any | concluded
        An experiment without a draw gives everyone its variant | EVERYONE | any | blue everyone
        A unit whose first bucket is not below the traffic is not assigned | traffic: 40%
        | first tested 400000..<1000000 | traffic
        A unit whose second bucket no variant owns is not assigned | GAP | second tested 300000..<600000 | unallocated
        A unit gets the variant that owns its second bucket | - | second tested 500000..<1000000 | green split

        # What a check does and does not look at.
        An empty unit ID counts as missing | - | empty | no-unit
        A unit ID of more than 1024 bytes is not valid | - | long | no-unit
        A unit that is forced in an experiment with the same setting is displaced | audience: { country: DE }, SETSBLUE
        | ada | displaced | rival: audience: { country: FR }, forced: { ada: green }, SETSGREEN | preview: blue
        A draft that forces a unit displaces it from others | OURS, ALLBLUE | ada | displaced
        | rival: THEIRS, status: draft, forced: { ada: green } | preview: blue
        A unit is displaced from the winner of a concluded experiment as well | status: concluded, winner: green, OURS
        | ada | displaced | rival: NEXTDOOR | preview: green
        A paused experiment displaces no unit | OURS, ALLBLUE | ada | blue split
        | rival: THEIRS, status: paused, forced: { ada: green }
        A concluded experiment displaces no unit | OURS, ALLBLUE | ada | blue split
        | rival: THEIRS, status: concluded, forced: { ada: green }
        At its start an experiment assigns | starts: 2026-06-01T00:00:00Z, ALLBLUE | any | blue split
        Just before its end an experiment assigns | ends: 2026-06-01T00:00:01Z, ALLBLUE | any | blue split
        A holdout that names other experiments does not hold out of this one | ALLBLUE | any | blue split | other: -
        | holdouts: quiet: { share: 100%, experiments: [ other ] }
        A holdout of a layer covers the experiments of the layer | OURS | first page 0..<500000 | holdout
        | holdouts: quiet: { share: 100%, layers: [ page ] }
        A holdout of another unit does not hold out a subject without that unit | ALLBLUE | any | blue split
        | holdouts: quiet: { share: 100%, unit: org_id, experiments: [ tested ] } | preview: -
        A holdout keeps units from the winner of a concluded experiment as well | status: concluded, winner: green | any
        | holdout | holdouts: quiet: { share: 100% }
        A requirement on a winner is met | requires: { other: [ green ] }, ALLBLUE | any | blue split
        | other: status: concluded, winner: green
        A unit of a paused experiment meets none | requires: { other: none }, ALLBLUE | any | blue split
        | other: status: paused
        A unit without a variant of the other experiment meets none | requires: { other: none }, ALLBLUE
        | first other 500000..<1000000 | blue split | other: traffic: 50%
        A unit with a variant of the other experiment does not meet none | requires: { other: none }, ALLBLUE
        | first other 0..<500000 | requirement | other: traffic: 50%
        A winner of the other experiment does not meet none | requires: { other: none }, ALLBLUE | any | requirement
        | other: status: concluded, winner: green
        A unit forced in the other experiment does not meet none | requires: { other: none }, ALLBLUE | ada
        | requirement | other: status: draft, forced: { ada: green } | preview: blue
        A forced unit need not meet none | requires: { other: none }, forced: { ada: green } | ada | green forced
        | other: - | preview: -
        The step that has begun last decides | STEPS, ALLBLUE | first tested 100000..<200000 | blue split
        A step that has not begun enrols no unit | STEPS, ALLBLUE | first tested 200000..<300000 | traffic
        Before the first step no unit is enrolled
        | traffic: [ { from: 2026-06-01T00:00:00.001Z, share: 100% } ], ALLBLUE | any | traffic
        A requirement on a draft is not met | requires: { other: [ green ] } | any | requirement | other: status: draft
        A concluded experiment ignores its schedule | status: concluded, winner: green, ends: 2026-01-01T00:00:00Z | any
        | green winner
        A concluded experiment ignores its slots | status: concluded, winner: green, OURS | first page 500000..<1000000
        | green winner

        # Experiments that draw nothing.
        Without a draw no unit ID is needed | EVERYONE | missing | blue everyone
        Without a draw the length of a unit ID does not matter | EVERYONE | long | blue everyone
        Without a draw a paused experiment assigns no unit | status: paused, EVERYONE | missing | paused
        Without a draw a draft assigns no unit | status: draft, EVERYONE | missing | draft
        Without a draw a unit that is forced in an experiment with the same setting is displaced
        | unit: none, audience: { country: DE }, SETSBLUE | ada | displaced
        | rival: audience: { country: FR }, forced: { ada: green }, SETSGREEN | preview: blue
        Without a draw no unit is assigned before the start | starts: 2026-06-01T00:00:01Z, EVERYONE | missing
        | not-started
        Without a draw no unit is assigned from the end on | ends: 2026-06-01T00:00:00Z, EVERYONE | missing | ended
        Without a draw no holdout covers an experiment | EVERYONE | any | blue everyone
        | holdouts: quiet: { share: 100% }
        Without a unit ID a requirement on a draw is not met | requires: { other: [ green ] }, EVERYONE | missing
        | requirement | other: variants: [ { key: green } ] | preview: blue
        Without a unit ID there is no variant of a draw, as required | requires: { other: none }, EVERYONE | missing
        | blue everyone | other: variants: [ { key: green } ] | preview: -
        A draw may require the variant that everyone gets | requires: { other: [ blue ] }, ALLBLUE | any | blue split
        | other: EVERYONE
        A draw may require that not everyone gets a variant | requires: { other: none }, ALLBLUE | any | requirement
        | other: EVERYONE
        Without a draw the audience decides | audience: { country: DE }, EVERYONE | missing | audience | country: FR
        | preview: blue
        Without a draw a concluded experiment gives its winner | status: concluded, winner: blue, EVERYONE | missing
        | blue winner
        Without a draw a concluded experiment without a winner assigns no unit | status: concluded, EVERYONE | missing
        | concluded

        # Each two neighbouring checks that could both give the reason.
        No unit beats paused | status: paused | missing | no-unit
        Paused beats forced | status: paused, forced: { ada: green } | ada | paused
        Forced beats draft | status: draft, forced: { ada: green } | ada | green forced | preview: -
        Draft beats displaced | status: draft, OURS | ada | draft | rival: NEXTDOOR
        Displaced beats schedule | starts: 2027-01-01T00:00:00Z, OURS | ada | displaced | rival: NEXTDOOR
        Schedule beats holdout: before the start | starts: 2027-01-01T00:00:00Z | any | not-started
        | holdouts: quiet: { share: 100% }
        Schedule beats holdout: after the end | ends: 2026-01-01T00:00:00Z | any | ended
        | holdouts: quiet: { share: 100% }
        Holdout beats slot | OURS | first page 500000..<1000000 | holdout | holdouts: quiet: { share: 100% }
        Slot beats requirement | OURS, requires: { other: [ green ] }
        | first page 500000..<1000000 and second other 0..<500000 | slot | other: -
        Requirement beats audience | requires: { other: [ green ] }, audience: { country: DE } | second other 0..<500000
        | requirement | other: - | country: FR
        Audience beats a winner | status: concluded, winner: green, audience: { country: DE } | any | audience
        | country: FR | preview: green
        Audience beats a conclusion without a winner | status: concluded, audience: { country: DE } | any | audience
        | country: FR
        A winner beats traffic | status: concluded, winner: green, traffic: 0% | any | green winner
        A conclusion without a winner beats traffic | status: concluded, traffic: 0% | any | concluded
        Traffic beats unallocated | traffic: 0%, GAP | second tested 300000..<600000 | traffic
        Unallocated beats split: no variant is given instead | variants: [ { key: blue, buckets: [ 0%..<99.99% ] } ]
        | second tested 999900..<1000000 | unallocated
        """
}
