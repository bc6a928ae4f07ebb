import AllotConfiguration
import AllotCore

extension ReassignmentReport {
    /// The report for programs. Shares are numbers from 0 to 1 with all their digits.
    public var json: JSONValue {
        var object = JSONObject(members: [
            "at": instant.description, "moves_enrolled": reassignsEnrolledUnits, "experiments": changed.map(\.json),
            "base": reassignment.base.map(\.json), "layers_and_holdouts": reassignment.surroundings,
        ])
        if let users {
            (object["users"], object["repeats"]) = (users.unitCount.json, users.repeatCount.json)
            object["without_unit"] = users.withoutUnitCount.json
            (object["missing_columns"], object["warnings"]) = (users.missingColumns.json, users.doubts.sentences.json)
        }
        return .object(object)
    }

    package func json(of key: String) -> JSONValue? { changed.first { $0.reassignment.experiment == key }?.json }
}

extension ReassignmentReport.Experiment {
    fileprivate var json: JSONValue {
        var object = JSONObject(members: [
            "experiment": reassignment.experiment, "moves_enrolled": reassignsEnrolledUnits,
            "changes": reassignment.changes, "audience": reassignment.audience.rawValue,
            "leaving_example": reassignment.leavingExample, "entering_example": reassignment.enteringExample,
            "rerandomised": reassignment.isRerandomised, "carry_over": reassignment.carryOver,
            "warnings": reassignment.warnings,
            "variants": reassignment.variants.objects {
                ["variant": $0.variant, "before": $0.before?.json, "after": $0.after?.json]
            },
            "transitions": rows.map { $0.transition.json(users: $0.count) },
            "returning": reassignment.returning.map { $0.json() },
            "forced_moves": reassignment.forcedMoves.objects { ["unit": $0.unit, "from": $0.from, "to": $0.to] },
            "settings": reassignment.settings.map(\.json),
        ])
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
        (object["before"], object["after"]) = (before, after)
        if !transitions.isEmpty {
            object["share"] = share.json
            object["transitions"] = .array(transitions.map { $0.json() })
        }
        return .object(object)
    }
}

extension ExactShare {
    var json: JSONValue { JSONNumber(decimalText).map(JSONValue.number) ?? .null }
}

extension ExperimentReassignment.Transition {
    func json(users: Int? = nil) -> JSONValue {
        var object = JSONObject(members: ["from": from, "to": to, "share": share.json])
        object["users"] = users?.json
        return .object(object)
    }
}
