import Allot
import AllotConfiguration
import HTTPTypes

/// OFREP's answer for one flag.
enum FlagAnswer {
    /// A flag's value, the reason, and the experiment that decided. A `null` has no value in OFREP: the application's
    /// own default applies.
    static func json(_ flag: FlagTable.Flag, _ decisions: [Decision], _ plan: Plan) -> JSONObject {
        let resolution = flag.resolve(decisions)
        var metadata: JSONObject = ["revision": .string(plan.revision)]
        // OFREP allows answers without a variant, but some clients then fall back to the default.
        var answer: JSONObject = ["key": .string(flag.key), "reason": "STATIC", "variant": "base"]
        if resolution.value != .null { answer["value"] = resolution.value }
        if let (index, decision) = resolution.decision, let variant = decision.variant {
            let experiment = plan.experiments[index]
            answer["reason"] = decision.reason == .split ? "SPLIT" : "TARGETING_MATCH"
            answer["variant"] = .string(experiment.variants[variant].key)
            metadata["experiment"] = .string(experiment.key)
            metadata["experimentRevision"] = .string(experiment.revision)
            metadata["allotReason"] = .string(decision.reason.text)
            if let bucket = decision.bucket { metadata["bucket"] = .number(JSONNumber(bucket)) }
        }
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
