import AllotConfiguration
import AllotCore

extension ReassignmentReport {
    /// The report for programs. Shares are numbers from 0 to 1 with all their digits.
    public var json: JSONValue {
        var object: JSONObject = [
            "at": .string(instant.description), "moves_enrolled": .boolean(reassignsEnrolledUnits),
            "experiments": .array(changed.map(\.json)), "base": .array(reassignment.base.map(\.json)),
            "layers_and_holdouts": .strings(reassignment.surroundings),
        ]
        if let users {
            object["users"] = .int(users.unitCount)
            object["repeats"] = .int(users.repeatCount)
            object["without_unit"] = .int(users.withoutUnitCount)
            object["missing_columns"] = .strings(users.missingColumns)
            object["warnings"] = .strings(users.doubts.sentences)
        }
        return .object(object)
    }

    package func json(of key: String) -> JSONValue? {
        changed.first { $0.reassignment.experiment == key }?.json
    }
}

extension ReassignmentReport.Experiment {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "experiment": .string(reassignment.experiment), "moves_enrolled": .boolean(reassignsEnrolledUnits),
            "changes": .strings(reassignment.changes), "audience": .string(reassignment.audience.rawValue),
            "leaving_example": .text(reassignment.leavingExample),
            "entering_example": .text(reassignment.enteringExample),
            "rerandomised": .boolean(reassignment.isRerandomised),
            "carry_over": .strings(reassignment.carryOver), "warnings": .strings(reassignment.warnings),
            "variants": .array(
                reassignment.variants.map {
                    [
                        "variant": .string($0.variant), "before": $0.before?.json ?? .null,
                        "after": $0.after?.json ?? .null,
                    ]
                }),
            "transitions": .array(rows.map { $0.transition.json(users: $0.count) }),
            "returning": .array(reassignment.returning.map { $0.json() }),
            "forced_moves": .array(
                reassignment.forcedMoves.map {
                    ["unit": .string($0.unit), "from": .string($0.from), "to": .text($0.to)]
                }),
            "settings": .array(reassignment.settings.map(\.json)),
        ]
        object["owner"] = reassignment.owner.map(JSONValue.string)
        for kind in TransitionKind.allCases { object[kind.rawValue] = reassignment.share(kind).json }
        if let users {
            object["forced_users"] = .int(users.forcedCount)
            object["missing_columns"] = .strings(users.missingAttributes)
        }
        return .object(object)
    }
}

extension SettingChange {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["setting": .string(setting)]
        object["before"] = before
        object["after"] = after
        if !transitions.isEmpty {
            object["share"] = share.json
            object["transitions"] = .array(transitions.map { $0.json() })
        }
        return .object(object)
    }
}

extension ExactShare {
    var json: JSONValue {
        JSONNumber(decimalText).map(JSONValue.number) ?? .null
    }
}

extension ExperimentReassignment.Transition {
    func json(users: Int? = nil) -> JSONValue {
        var object: JSONObject = ["from": .text(from), "to": .text(to), "share": share.json]
        if let users { object["users"] = .int(users) }
        return .object(object)
    }
}
