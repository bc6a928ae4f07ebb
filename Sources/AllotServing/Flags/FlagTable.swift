import AllotConfiguration
import AllotCore

/// The settings of a plan as OpenFeature flags, named `Section.Setting`.
package struct FlagTable: Sendable {
    package struct Flag: Sendable {
        package let key: String
        let base: JSONValue
        fileprivate(set) var comparisons: [Comparison] = []
        package var comparingExperiments: [Int] { comparisons.map(\.experiment) }
    }

    /// An experiment that compares a setting: any of its variants overrides it, or a part of its value.
    struct Comparison: Sendable {
        let experiment: Int
        /// By variant the value, `nil` if the variant does not override the setting.
        fileprivate(set) var values: [JSONValue?]
    }

    package let flags: [Flag]
    private let indices: [UTF8Key: Int]

    init(_ plan: Plan) {
        var flags: [Flag] = []
        var indices: [UTF8Key: Int] = [:]
        for section in plan.base.sections.members {
            guard case .object(let settings) = section.value else { continue }
            for setting in settings.members {
                let key = "\(section.key).\(setting.key)"
                // The first of two settings with one key is the flag.
                let first = indices.updateValue(flags.count, forKey: UTF8Key(key))
                if let first { indices[UTF8Key(key)] = first }
                flags.append(Flag(key: key, base: setting.value))
            }
        }
        // Experiments come in order.
        plan.forEachOverride { experiment, variant, setting, value in
            if flags[setting].comparisons.last?.experiment != experiment {
                let values = [JSONValue?](repeating: nil, count: plan.experiments[experiment].variants.count)
                flags[setting].comparisons.append(Comparison(experiment: experiment, values: values))
            }
            flags[setting].comparisons[flags[setting].comparisons.count - 1].values[variant] = value
        }
        (self.flags, self.indices) = (flags, indices)
    }

    package subscript(key: String) -> Flag? { indices[UTF8Key(key)].map { flags[$0] } }
}

extension FlagTable.Flag {
    /// OFREP's answer for a unit: the merged value, unless it is `null`, and the assignments of all experiments that
    /// compare the setting, controls too: reading the answer exposes the unit to each of them.
    package func answer(_ decisions: [Decision], _ plan: Plan, at instant: Instant) -> JSONObject {
        let compared = zip(comparisons, decisions).map { (comparison: $0, decision: $1) }
        let assigned = Self.assigned(compared)
        var metadata: JSONObject = ["configurationRevision": .string(plan.revision)]
        for (position, (comparison, decision)) in assigned.enumerated() {
            comparison.describe(decision, plan.experiments[comparison.experiment], position: position, in: &metadata)
            if let window = plan.window(of: comparison.experiment, decision, at: instant) {
                let ending = FlagTable.Comparison.ending(position)
                metadata["since" + ending] = .string(window.since.description)
                metadata["window" + ending] = .number(JSONNumber(window.number))
            }
        }
        // OFREP allows answers without a variant, but some clients then fall back to the default.
        var answer: JSONObject = [
            "key": .string(key), "metadata": .object(metadata), "reason": comparisons.isEmpty ? "STATIC" : "DEFAULT",
            "variant": "base",
        ]
        if let (first, decision) = assigned.first {
            answer["reason"] = decision.reason == .split ? "SPLIT" : "TARGETING_MATCH"
            answer["variant"] = decision.variant.map { .string(plan.experiments[first.experiment].variants[$0].key) }
        }
        let value = compared.reduce(base) { value, entry in
            entry.comparison.change(entry.decision).map(value.merging) ?? value
        }
        if value != .null { answer["value"] = value }
        return answer
    }

    /// The comparisons that assign the unit a variant, that of the answer first: by reason, then one that changes the
    /// value before one that leaves it alone, then in the order of the experiments' keys.
    private static func assigned(_ compared: [Compared]) -> [Compared] {
        func rank(_ entry: Compared) -> Int {
            let order: [Reason] = [.split, .winner, .forced, .everyone]
            let reason = order.firstIndex(of: entry.decision.reason) ?? order.count
            return 2 * reason + (entry.comparison.change(entry.decision) == nil ? 1 : 0)
        }
        // The sort of the standard library is stable.
        return compared.filter { $0.decision.variant != nil }.sorted { rank($0) < rank($1) }
    }

    private typealias Compared = (comparison: FlagTable.Comparison, decision: Decision)
}

extension FlagTable.Comparison {
    /// The value that the unit's variant gives the setting. Returns `nil` if it leaves the setting alone.
    fileprivate func change(_ decision: Decision) -> JSONValue? { decision.variant.flatMap { values[$0] } }
    fileprivate static func ending(_ position: Int) -> String { position == 0 ? "" : ".\(position + 1)" }

    /// Adds what a hook needs to report the exposure. Metadata is flat: the names of the second experiment end in ".2".
    fileprivate func describe(
        _ decision: Decision, _ experiment: Plan.Experiment, position: Int, in metadata: inout JSONObject
    ) {
        let ending = Self.ending(position)
        metadata["experiment" + ending] = .string(experiment.key)
        metadata["salt" + ending] = experiment.salt.map(JSONValue.string)
        metadata["revision" + ending] = .string(experiment.revision)
        metadata["allotReason" + ending] = .string(decision.reason.text)
        metadata["bucket" + ending] = decision.bucket.map { .int($0) }
        let unit = experiment.unit ?? UnitContract.noUnit
        if unit != Subject.defaultUnit { metadata["unit" + ending] = .string(unit) }
        if position > 0 { metadata["variant" + ending] = decision.variant.map { .string(experiment.variants[$0].key) } }
    }
}

package enum FlagErrorCode: String {
    case parseError = "PARSE_ERROR"
    case targetingKeyMissing = "TARGETING_KEY_MISSING"
    case invalidContext = "INVALID_CONTEXT"
    case flagNotFound = "FLAG_NOT_FOUND"
    case general = "GENERAL"
}

extension RequestFailure {
    /// OFREP's answer if there is no value, of one flag or, without a key, of all.
    package static func flag(_ code: FlagErrorCode, _ message: String, key: String?) -> RequestFailure {
        var json: JSONObject = ["errorCode": .string(code.rawValue), "errorDetails": .string(message)]
        json["key"] = key.map(JSONValue.string)
        var failure = RequestFailure(code == .flagNotFound ? .notFound : .badRequest, message)
        failure.json = .object(json)
        return failure
    }

    /// OFREP's answer of a server that does not have an announced change yet; the client asks again after the delay.
    package static func lateFlags(askAgainIn delay: Int64) -> RequestFailure {
        let message = "this server does not have the announced change yet; ask again in \(delay) s"
        var failure = flag(.general, message, key: nil)
        (failure.code, failure.headers) = (.serviceUnavailable, [("Retry-After", "\(delay)")])
        return failure
    }
}
