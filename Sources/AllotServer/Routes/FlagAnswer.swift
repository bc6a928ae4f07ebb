import Allot
import AllotConfiguration
import HTTPTypes

extension FlagTable.Flag {
    /// OFREP's answer: the value for a unit, merged as the configuration merges it, the reason, and the last experiment
    /// that changed the value. A `null` has no value in OFREP: the application's own default applies.
    func answer(_ decisions: [Decision], _ plan: Plan) -> JSONObject {
        var value = base
        var metadata: JSONObject = ["revision": .string(plan.revision)]
        // OFREP allows answers without a variant, but some clients then fall back to the default.
        var answer: JSONObject = ["key": .string(key), "reason": "STATIC", "variant": "base"]
        for override in overrides {
            let (experiment, decision) = (plan.experiments[override.experiment], decisions[override.experiment])
            guard let variant = decision.variant, let change = override.values[variant] else { continue }
            value = value.merging(change)
            answer["reason"] = decision.reason == .split ? "SPLIT" : "TARGETING_MATCH"
            answer["variant"] = .string(experiment.variants[variant].key)
            metadata["experiment"] = .string(experiment.key)
            metadata["experimentRevision"] = .string(experiment.revision)
            metadata["allotReason"] = .string(decision.reason.text)
            metadata["bucket"] = decision.bucket.map { .number(JSONNumber($0)) }
        }
        if value != .null { answer["value"] = value }
        answer["metadata"] = .object(metadata)
        return answer
    }
}

/// OpenFeature's error codes.
enum FlagErrorCode: String {
    case parseError = "PARSE_ERROR"
    case targetingKeyMissing = "TARGETING_KEY_MISSING"
    case invalidContext = "INVALID_CONTEXT"
    case flagNotFound = "FLAG_NOT_FOUND"
}

extension RequestFailure {
    /// OFREP's answer if there is no value.
    ///
    /// - Parameter key: the flag; `nil` if all were requested.
    static func flag(_ code: FlagErrorCode, _ message: String, key: String?) -> RequestFailure {
        var json: JSONObject = ["errorCode": .string(code.rawValue), "errorDetails": .string(message)]
        json["key"] = key.map(JSONValue.string)
        return RequestFailure(code == .flagNotFound ? .notFound : .badRequest, message: message, json: .object(json))
    }
}
