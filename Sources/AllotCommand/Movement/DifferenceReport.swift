import Allot
import AllotAnalysis
import AllotBatch
import AllotConfiguration

/// What `allot diff` has found, to be written in several forms.
struct DifferenceReport {
    let movement: DefinitionsMovement
    /// The same counted on users.
    let users: BatchComparisonResult?
    let instant: Instant
    /// The experiments for which there is something to tell.
    let changed: [Experiment]

    init(movement: DefinitionsMovement, users: BatchComparisonResult?, instant: Instant) {
        self.movement = movement
        self.users = users
        self.instant = instant
        let counted = Dictionary(
            (users?.experiments ?? []).map { (UTF8Key($0.key), $0) }, uniquingKeysWith: { first, _ in first })
        // Users tell of audiences only if there are some, with all their attributes.
        let isTelling = users.map { $0.rowCount > 0 && $0.missingColumns.isEmpty } ?? false
        changed = movement.experiments.map { experiment in
            Experiment(movement: experiment, users: counted[UTF8Key(experiment.experiment)], isTelling: isTelling)
        }.filter(\.isChanged)
    }

    /// One experiment in both ways.
    struct Experiment {
        let movement: ExperimentMovement
        let users: BatchComparisonResult.Experiment?
        /// Whether users can stand for what an audience that changed does.
        let isTelling: Bool

        /// Every pair of states with its exact share and, where users were counted, their number.
        var rows: [Row] {
            var rows = movement.transitions.map { transition in
                Row(
                    from: transition.from, to: transition.to, share: transition.share,
                    count: users.map { users in
                        users.transitions.first { $0.from == transition.from && $0.to == transition.to }?.count ?? 0
                    })
            }
            // By an audience that changed, users go ways that no range tells of.
            for counted in users?.transitions ?? []
            where !rows.contains(where: { $0.from == counted.from && $0.to == counted.to }) {
                rows.append(Row(from: counted.from, to: counted.to, share: .none, count: counted.count))
            }
            return rows.sorted { ($0.kind.order, $1.share) < ($1.kind.order, $0.share) }
        }

        /// Whether enrolled units would move, by what is known best: counted users where the audience changed.
        var movesEnrolled: Bool {
            guard let users, isTelling, movement.audience != .none else { return movement.movesEnrolled }
            return movement.movesByDraw
                || (movement.isRandomisedBefore && users.transitions.contains { $0.from != nil && $0.from != $0.to })
        }

        /// Whether those who hold a winner get something else.
        var changesWinner: Bool {
            !movement.isRandomisedBefore
                && movement.transitions.contains { $0.kind == .moves || $0.kind == .leaves }
        }

        /// What is to be said beside the shares.
        var notes: [String] {
            var notes = [movement.audienceNote(isCounted: isTelling)].compactMap { $0 }
            if let users, users.forcedCount > 0 {
                notes.append("\(AllotConfiguration.counted(users.forcedCount, "forced user")) not counted here")
            }
            if movement.isRerandomised {
                notes.append("every unit is drawn anew: results from before and after must not be added up")
            }
            notes += movement.forcedMoves.map {
                "the unit \(QuotedText($0.unit)) was drawn into \($0.from) and is now forced into \($0.to ?? "another experiment")"
            }
            return notes + movement.warnings
        }

        var isChanged: Bool {
            movement.isChanged || movement.audience != .none
        }
    }

    /// A pair of states.
    struct Row {
        let from: String?
        let to: String?
        let share: ExactShare
        let count: Int?

        var kind: TransitionKind { TransitionKind(from: from, to: to) }
    }

    var movesEnrolled: Bool {
        changed.contains(where: \.movesEnrolled)
    }

    /// The first keys, and how many more there are.
    private static func listed(_ keys: [String]) -> String {
        keys.count > 12
            ? "\(keys.prefix(10).joined(separator: ", ")) and \(keys.count - 10) more" : keys.joined(separator: ", ")
    }

    /// What it all comes to.
    var verdict: String {
        guard !changed.isEmpty || !movement.base.isEmpty || !movement.surroundings.isEmpty else {
            return "Nothing changes for anybody at \(instant.minuteText)."
        }
        let total = AllotConfiguration.counted(movement.experiments.count, "experiment")
        let moving = changed.filter(\.movesEnrolled).map(\.movement.experiment)
        let what =
            changed.isEmpty
            ? "No experiment changes" : "\(changed.count) of \(total) changed"
        let winners = changed.filter(\.changesWinner).map(\.movement.experiment)
        let also =
            winners.isEmpty
            ? "" : " Those who hold the winner of \(Self.listed(winners)) get something else."
        guard !moving.isEmpty else { return "\(what); nobody who is enrolled moves.\(also)" }
        return "\(what); enrolled units would move in \(Self.listed(moving)).\(also)"
    }
}

extension TransitionKind {
    /// Where a kind stands in a table.
    fileprivate var order: Int {
        switch self {
        case .moves: 0
        case .leaves: 1
        case .enters: 2
        case .stays: 3
        }
    }
}

extension ExperimentMovement {
    /// What the shares do not tell of because the audience changed.
    ///
    /// - Parameter isCounted: whether users stand for it already.
    func audienceNote(isCounted: Bool) -> String? {
        let count = isCounted ? "counted above" : "count them with --users FILE"
        switch audience {
        case .none: return nil
        case .widened:
            return
                "the audience is wider: the shares are of the units that it admitted before; units that it now admits "
                + "as well enter (\(count))"
        case .narrowed:
            return
                "the audience is narrower: the shares are of the units that it still admits; those that it no longer "
                + "admits leave (\(count))"
        case .changed:
            return
                "the audience is another: the shares are of the units that both audiences admit; others enter or leave "
                + "(\(count))"
        }
    }

    /// The kinds of transition with their shares: `70% stay, 30% move`.
    var totals: String {
        let words: [(TransitionKind, String)] = [
            (.stays, "stay"), (.moves, "move"), (.enters, "enter"), (.leaves, "leave"),
        ]
        let parts = words.map { (share($0.0), $0.1) }.filter { !$0.0.isNone }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "nobody holds a variant before or after" : parts.joined(separator: ", ")
    }
}

extension SettingChange {
    /// For whom: `30% (control → green)`.
    var whom: String {
        guard !transitions.isEmpty else { return "all whom no variant gives another value" }
        let ways = transitions.prefix(Self.waysShown).map { "\($0.from ?? "none") → \($0.to ?? "none")" }
        let more = transitions.count > ways.count ? ["and \(transitions.count - ways.count) more"] : []
        return "\(share) (\((ways + more).joined(separator: ", ")))"
    }

    private static let waysShown = 8

    /// The values: `"blue" → "green"`.
    var values: String {
        [before, after].map { $0.map(Self.shown) ?? "not declared" }.joined(separator: " → ")
    }

    private static func shown(_ value: JSONValue) -> String {
        let text = value.canonicalText
        return text.count > 60 ? text.prefix(59) + "…" : text
    }
}
