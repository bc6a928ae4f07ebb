import AllotConfiguration

struct GrowthBookPrerequisite {
    let features: PayloadNode
    let condition: GrowthBookCondition

    /// The name by which a value is found among those that a feature serves.
    static func name(of value: JSONValue) -> String {
        value.canonicalText
    }

    /// Whether a prerequisite holds, and whether the feature ends where it does not. Returns `nil` for one without a
    /// condition.
    func holds(_ node: PayloadNode) throws(ImportProblem) -> (Guard, isGate: Bool)? {
        guard let id = node["id"], let test = node["condition"] else { return nil }
        let isGate = try node["gate"]?.boolean() ?? false
        let key = try id.text()
        guard let condition = ValueCondition(try self.condition.condition(test)) else {
            throw test.problem("the condition is not valid")
        }
        guard let parent = features[key] else {
            // A feature that does not exist is null.
            return (condition.holds(for: .null) ? .always : .never, isGate)
        }
        let served = Self.values(of: parent).filter(condition.holds).map(Self.name)
        return (.serves(flag: key, arms: Set(served), orDefault: false), isGate)
    }

    private static func values(of feature: PayloadNode) -> [JSONValue] {
        var values = [feature.member("defaultValue")?.value ?? .null, .null]
        for rule in feature.listIfAny("rules") {
            if let force = rule["force"] { values.append(force.value) }
            values += rule.listIfAny("variations").map(\.value)
        }
        return values
    }
}
