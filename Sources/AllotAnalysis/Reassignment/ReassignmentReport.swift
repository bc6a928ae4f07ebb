import AllotBatch
import AllotConfiguration
import AllotCore

/// The report of `allot diff`: what a change of definitions does to units, as text, JSON or Markdown.
///
/// ```swift
/// import Allot
/// import AllotConfiguration
///
/// func check(released: Plan, edited: Plan, at instant: Instant) -> Bool {
///     let report = ReassignmentReport(from: released, to: edited, at: instant)
///     print(report.lines.joined(separator: "\n"))
///     return report.reassignsEnrolledUnits
/// }
/// ```
public struct ReassignmentReport: Sendable {
    /// The change, as exact shares.
    public let reassignment: DefinitionsReassignment
    let users: BatchComparisonResult?
    let instant: Instant
    let changed: [Experiment]

    /// Compares two plans at an instant.
    ///
    /// With a key only that experiment is compared. The comparison on users shows the effect of a changed audience.
    /// Warnings about salts that are not new to the history, by the keys of experiments, are shown where the change
    /// gives an experiment its salt.
    public init(
        from old: Plan, to new: Plan, at instant: Instant, only key: String? = nil,
        users: BatchComparisonResult? = nil, salts: [String: String] = [:]
    ) {
        self.users = users
        self.instant = instant
        reassignment = DefinitionsReassignment(from: old, to: new, at: instant, only: key, salts: salts)
        let counted = Dictionary(byName: (users?.experiments ?? []).map { ($0.key, $0) })
        changed = reassignment.experiments.map { experiment in
            Experiment(reassignment: experiment, users: counted[UTF8Key(experiment.experiment)])
        }.filter(\.isChanged)
    }

    /// Whether units that are already enrolled would get another variant or none.
    public var reassignsEnrolledUnits: Bool { changed.contains(where: \.reassignsEnrolledUnits) }

    /// The whole change in one sentence or two.
    public var verdict: String {
        guard !changed.isEmpty || !reassignment.base.isEmpty || !reassignment.surroundings.isEmpty
        else { return "No change for any unit at \(instant.minuteText)." }
        let total = counted(reassignment.experiments.count, "experiment")
        let what = changed.isEmpty ? "No experiment changes" : "\(changed.count) of \(total) changed"
        let winners = changed.filter(\.changesWinner).map(\.reassignment.experiment)
        let also = winners.isEmpty ? "" : " What everyone in the audience of \(Self.listed(winners)) gets changes."
        let moving = changed.filter(\.reassignsEnrolledUnits).map(\.reassignment.experiment)
        let carrying = changed.map(\.reassignment).filter { !$0.carryOver.isEmpty }.map(\.experiment)
        let and = carrying.isEmpty ? "" : " CARRY-OVER in \(Self.listed(carrying))."
        return moving.isEmpty
            ? "\(what); no enrolled unit would move.\(and)\(also)"
            : "\(what); enrolled units would move in \(Self.listed(moving)).\(and)\(also)"
    }

    private static func listed(_ keys: [String]) -> String { keys.listed(atMost: keys.count > 12 ? 10 : 12) }

    var usersText: String? {
        guard let users else { return nil }
        let missing = users.missingColumns.map { PrintableText($0).description }.joined(separator: ", ").nonEmpty
        let note = missing.map {
            "; no column for \($0), and experiments that look at one without a column are not counted"
        }
        var sentences = ["Counted on \(counted(users.unitCount, "unit"))\(note ?? "")"]
        if users.repeatCount > 0 {
            let rows = users.repeatCount == 1 ? "1 row repeats" : "\(users.repeatCount) rows repeat"
            sentences.append("\(rows) a unit ID; each unit counts once, with its first row")
        }
        if users.withoutUnitCount > 0 {
            let rows = users.withoutUnitCount == 1 ? "1 row has" : "\(users.withoutUnitCount) rows have"
            sentences.append("\(rows) no valid unit ID")
        }
        return (sentences + users.doubts.sentences).map { "\($0)." }.joined(separator: " ")
    }
}

extension ReassignmentReport {
    struct Experiment: Sendable {
        let reassignment: ExperimentReassignment
        let users: BatchComparisonResult.Experiment?

        /// Whether users show what a changed audience does: there are some, with all attributes that decide.
        var isConclusive: Bool { users.map { $0.unitCount > 0 && $0.missingAttributes.isEmpty } ?? false }

        var isChanged: Bool {
            reassignment.isChanged || reassignment.audience != .none
                || users?.transitions.contains { $0.from != $0.to } ?? false
        }

        /// Every pair of states with its exact share and, where users are conclusive, their number.
        var rows: [(transition: ExperimentReassignment.Transition, count: Int?)] {
            let users = isConclusive ? users : nil
            var counts = users?.transitions ?? []
            var rows = reassignment.transitions.map { transition in
                let index = counts.firstIndex { $0.from == transition.from && $0.to == transition.to }
                return (transition, users.map { _ in index.map { counts.remove(at: $0).count } ?? 0 })
            }
            // If the audience changed, users make transitions that no range shows.
            rows += counts.map { (.init(from: $0.from, to: $0.to, share: .none), $0.count) }
            return rows.sorted { ($0.0.kind.order, $1.0.share) < ($1.0.kind.order, $0.0.share) }
        }

        /// Whether enrolled units would move, by the best evidence: counted users where the audience changed.
        var reassignsEnrolledUnits: Bool {
            guard let users, isConclusive, reassignment.audience != .none
            else { return reassignment.reassignsEnrolledUnits }
            return reassignment.reassignsByBuckets
                || (reassignment.isRandomisedBefore
                    && users.transitions.contains { $0.from != nil && $0.from != $0.to })
        }

        /// Whether units that get a winner get something else.
        var changesWinner: Bool {
            !reassignment.isRandomisedBefore
                && reassignment.transitions.contains { $0.kind == .moves || $0.kind == .leaves }
        }

        var notes: [String] {
            var notes = [reassignment.audienceNote(count: countNote)].compactMap(\.self)
            if let users, users.forcedCount > 0 {
                notes.append(
                    "\(counted(users.forcedCount, "forced unit")) \(users.forcedCount == 1 ? "is" : "are") not "
                        + "counted here")
            }
            if reassignment.isRerandomised {
                notes.append("every unit is randomised anew: results from before and after must not be added up")
            }
            notes += reassignment.fallingSteps.map { "a later step lowers the traffic, and units leave: \($0)" }
            let state = reassignment.isRandomisedBefore ? "was randomised into" : "had the winner"
            notes += reassignment.forcedMoves.map { move in
                "the unit \(QuotedText(move.unit)) \(state) \(move.from) and is now forced into "
                    + (move.to ?? "another experiment")
            }
            return notes + reassignment.warnings
        }

        private var countNote: String {
            guard let users else { return "allot diff counts them on a file of users" }
            if isConclusive { return "counted above" }
            let missing = users.missingAttributes.map { PrintableText($0).description }
            return missing.isEmpty
                ? "the file of users has none of its units"
                : "not counted, as the users have no column for \(missing.listed(atMost: 12))"
        }
    }
}

extension ExperimentReassignment {
    /// The effects that the shares do not show because the audience changed.
    fileprivate func audienceNote(count: String) -> String? {
        switch audience {
        case .none: return nil
        case .widened:
            return "the audience is wider: the shares are of the units that it admitted before; units that it now "
                + "admits as well enter (\(count))\(Self.example("enters", enteringExample))"
        case .narrowed:
            return "the audience is narrower: the shares are of the units that it still admits; those that it no "
                + "longer admits leave (\(count))\(Self.example("leaves", leavingExample))"
        case .requirement:
            return "other units have a variant of an experiment of which they must have none: the shares are of the "
                + "units that have none before and after; others enter or leave (\(count))"
        case .disjoint:
            return "the audience is another one, and no unit is in both: the shares are of the units of the old one, "
                + "which leave, and of the new one, which enter (\(count))"
                + Self.example("leaves", leavingExample) + Self.example("enters", enteringExample)
        case .changed:
            return "the audience has changed: the shares are of the units that both audiences admit; others enter "
                + "or leave (\(count))" + Self.example("leaves", leavingExample)
                + Self.example("enters", enteringExample)
        }
    }

    private static func example(_ verb: String, _ words: String?) -> String {
        words.map { "; for example, a unit \(verb) with \($0)" } ?? ""
    }

    /// The kinds of transition with their shares: `70% stay, 30% move`.
    var totals: String { Self.totals(of: transitions) }

    static func totals(of transitions: [Transition]) -> String {
        let words: [(TransitionKind, String)] = [
            (.stays, "stay"), (.moves, "move"), (.enters, "enter"), (.leaves, "leave"),
        ]
        let parts = words.compactMap { kind, verb -> String? in
            let share = transitions.filter { $0.kind == kind }.share
            return share.isNone ? nil : "\(share) \(verb)"
        }
        return parts.isEmpty ? "no unit is assigned a variant before or after" : parts.joined(separator: ", ")
    }
}

extension SettingChange {
    private static let waysShown = 8

    /// For which units: `30% (control → green)`.
    var affectedUnits: String {
        guard !transitions.isEmpty else { return "all units to which no variant gives another value" }
        let ways = transitions.prefix(Self.waysShown).map(\.text)
        let more = transitions.count > ways.count ? ["and \(transitions.count - ways.count) more"] : []
        return "\(share) (\((ways + more).joined(separator: ", ")))"
    }

    var values: String { [before, after].map { $0.map(Self.shown) ?? "not declared" }.joined(separator: " → ") }

    private static func shown(_ value: JSONValue) -> String {
        let text = value.canonicalText
        return PrintableText(text.count > 60 ? text.prefix(59) + "…" : text).description
    }
}
