import Allot
import AllotConfiguration
import HTTPTypes

/// OFREP's answer for one flag.
enum FlagAnswer {
    /// A flag's value, why it has it, and what decided. A `null` has no value in OFREP: the application's own default
    /// applies.
    static func json(_ flag: FlagTable.Flag, _ decisions: [Decision], _ plan: Plan) -> JSONObject {
        let resolution = FlagTable.resolve(flag, decisions)
        var metadata: JSONObject = ["revision": .string(plan.revision)]
        // OFREP lets an answer go without a variant, but clients exist that then fall back to the default.
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

/// OFREP's answer where there is no value.
struct FlagFailure {
    /// OpenFeature's error codes.
    enum Code: String {
        case parseError = "PARSE_ERROR"
        case targetingKeyMissing = "TARGETING_KEY_MISSING"
        case invalidContext = "INVALID_CONTEXT"
        case flagNotFound = "FLAG_NOT_FOUND"
    }

    private let code: Code
    private let message: String
    private let key: String?

    /// - Parameter key: the flag, `nil` where all were asked for.
    init(_ code: Code, _ message: String, key: String?) {
        self.code = code
        self.message = message
        self.key = key
    }

    var response: RequestFailure {
        var json: JSONObject = ["errorCode": .string(code.rawValue), "errorDetails": .string(message)]
        if let key { json["key"] = .string(key) }
        return RequestFailure(code == .flagNotFound ? .notFound : .badRequest, message: message, json: .object(json))
    }
}
