import AllotConfiguration
import AllotCore

struct UnleashVariants {
    struct Variant {
        let name: String
        let payload: JSONValue
        let isTextAsJSON: Bool
        let weight: Int
        /// The condition of the units that always get it.
        let overrides: JSONValue
    }

    let variants: [Variant]
    let stickiness: UnleashStickiness
    private let salt: String
    private let total: Int

    /// Reads a list of variants, which the feature's name draws without a group. Returns `nil` if there are none.
    init?(
        _ list: PayloadNode?, group: PayloadNode?, feature: String, stickiness: UnleashStickiness?, overrides: Bool
    ) throws(ImportProblem) {
        let elements = try list?.elements() ?? []
        guard let list, let first = elements.first else { return nil }
        variants = try elements.map { node throws(ImportProblem) in try Self.variant(node, overrides: overrides) }
        self.stickiness = if let stickiness { stickiness } else { try UnleashStickiness(first["stickiness"]) }
        salt = try group?.salt(of: .unleashVariants1) ?? feature
        total = variants.reduce(0) { $0 + $1.weight }
        guard (1...HashScheme.maximumResolution).contains(total) else {
            throw list.problem("the weights of the variants add up to \(total); they have to come to 1 or more")
        }
        guard self.stickiness != .random || variants.count == 1 else {
            throw list.problem("these variants are drawn at random on each call; set their stickiness in Unleash")
        }
    }

    private static func variant(_ node: PayloadNode, overrides: Bool) throws(ImportProblem) -> Variant {
        let weight = try node.required("weight")
        let value = try weight.integer()
        guard (0...HashScheme.maximumResolution).contains(value) else {
            throw weight.problem("the weight \(value) is out of range")
        }
        var alternatives: [JSONValue] = []
        for override in try overrides ? node.list("overrides") : [] {
            let field = try override.required("contextName").attributeName()
            alternatives.append(.test(field, ["$in": .strings(try override.required("values").texts())]))
        }
        let payload = try payload(node["payload"])
        // A JSON text has quotes, which its value does not have.
        let isText = node["payload"]?["type"]?.value == "json" && node["payload"]?["value"]?.value == payload
        return Variant(
            name: try node.required("name").text(), payload: payload, isTextAsJSON: isText, weight: value,
            overrides: .any(alternatives))
    }

    /// The value of a payload: JSON and numbers as such, other text as text.
    private static func payload(_ node: PayloadNode?) throws(ImportProblem) -> JSONValue {
        guard let node else { return .null }
        let text = try node.required("value").text()
        switch try node.required("type").text() {
        case "json": return try node.json(in: text) ?? .string(text)
        case "number": return JSONNumber(text).map(JSONValue.number) ?? .string(text)
        default: return .string(text)
        }
    }

    /// The conditions of the variants, in order. A unit without the hashed ID satisfies none of the last ones.
    func decisions(_ arm: (Variant) -> Arm) -> [(condition: Guard, outcome: Outcome)] {
        var decisions: [(condition: Guard, outcome: Outcome)] = []
        for variant in variants where variant.overrides != .never {
            decisions.append((.condition(variant.overrides), .value(arm(variant))))
        }
        let weighted = variants.filter { $0.weight > 0 }
        if weighted.count == 1 {
            decisions.append((.always, .value(arm(weighted[0]))))
            return decisions
        }
        var start = 0
        var arms: [ArmShare] = []
        for variant in weighted {
            arms.append((arm(variant), [start..<start + variant.weight]))
            start += variant.weight
        }
        for field in stickiness.fields {
            let draw = Draw(.unleashVariants1, salt: salt, unit: field.name, resolution: total)
            decisions.append((.condition(field.condition), .split(draw, arms)))
        }
        return decisions
    }
}
