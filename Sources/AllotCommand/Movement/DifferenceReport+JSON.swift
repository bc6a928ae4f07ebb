import Allot
import AllotAnalysis
import AllotConfiguration

extension DifferenceReport {
    /// The report for programs. Shares are numbers from 0 to 1 with all their digits.
    var json: JSONValue {
        var object: JSONObject = [
            "at": .string(instant.description), "moves_enrolled": .boolean(movesEnrolled),
            "experiments": .array(changed.map(Self.json)), "base": .array(movement.base.map(Self.json)),
            "layers_and_holdouts": .array(movement.surroundings.map(JSONValue.string)),
        ]
        if let users {
            object["users"] = .number(JSONNumber(users.rowCount))
            object["missing_columns"] = .array(users.missingColumns.map(JSONValue.string))
        }
        return .object(object)
    }

    private static func json(_ experiment: Experiment) -> JSONValue {
        let movement = experiment.movement
        var object: JSONObject = [
            "experiment": .string(movement.experiment), "moves_enrolled": .boolean(experiment.movesEnrolled),
            "changes": .array(movement.changes.map(JSONValue.string)), "audience": .string(movement.audience.rawValue),
            "rerandomised": .boolean(movement.isRerandomised),
            "warnings": .array(movement.warnings.map(JSONValue.string)),
            "variants": .array(
                movement.variants.map { variant in
                    [
                        "variant": .string(variant.variant), "before": variant.before.map(\.json) ?? .null,
                        "after": variant.after.map(\.json) ?? .null,
                    ]
                }),
            "transitions": .array(experiment.rows.map { transition($0.from, $0.to, $0.share, $0.count) }),
            "returning": .array(movement.returning.map { transition($0.from, $0.to, $0.share, nil) }),
            "forced_moves": .array(
                movement.forcedMoves.map { move in
                    [
                        "unit": .string(move.unit), "from": .string(move.from),
                        "to": move.to.map(JSONValue.string) ?? .null,
                    ]
                }),
            "settings": .array(movement.settings.map(json)),
        ]
        for kind in TransitionKind.allCases { object[kind.rawValue] = movement.share(kind).json }
        if let users = experiment.users { object["forced_users"] = .number(JSONNumber(users.forcedCount)) }
        return .object(object)
    }

    private static func json(_ change: SettingChange) -> JSONValue {
        var object: JSONObject = ["setting": .string(change.setting)]
        object["before"] = change.before
        object["after"] = change.after
        if !change.transitions.isEmpty {
            object["share"] = change.share.json
            object["transitions"] = .array(change.transitions.map { transition($0.from, $0.to, $0.share, nil) })
        }
        return .object(object)
    }

    private static func transition(_ from: String?, _ to: String?, _ share: ExactShare, _ users: Int?) -> JSONValue {
        var object: JSONObject = [
            "from": from.map(JSONValue.string) ?? .null, "to": to.map(JSONValue.string) ?? .null, "share": share.json,
        ]
        if let users { object["users"] = .number(JSONNumber(users)) }
        return .object(object)
    }
}

extension ExactShare {
    /// The share as a number with all its digits.
    fileprivate var json: JSONValue {
        JSONNumber(decimalText).map(JSONValue.number) ?? .null
    }
}
