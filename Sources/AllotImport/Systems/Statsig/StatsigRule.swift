import AllotConfiguration
import AllotCore

struct StatsigRule {
    private let node: PayloadNode
    private let spec: StatsigSpecs.Spec
    private let specs: StatsigSpecs
    private let conditions: [PayloadNode]
    let passPercentage: Double

    init(_ node: PayloadNode, of spec: StatsigSpecs.Spec, _ specs: StatsigSpecs) throws(ImportProblem) {
        (self.node, self.spec, self.specs) = (node, spec, specs)
        conditions = try specs.conditions(of: node)
        passPercentage = try node.required("passPercentage").double()
    }

    func condition(_ gates: StatsigGates) throws(ImportProblem) -> Guard {
        .all(
            try conditions.map { node throws(ImportProblem) in
                try StatsigCondition(node: node, specs: specs, gates: gates).condition()
            })
    }

    /// The draw of the percentage, and its border: users with a lower number pass.
    func passBucketing() throws(ImportProblem) -> (draw: Draw, border: Int) {
        let salt = try spec.node["salt"]?.text() ?? ""
        let ruleSalt = try node.firstText("salt", "id")
        let unit = StatsigFields.unit(of: try node["idType"]?.text() ?? StatsigFields.userID)
        let draw = Draw(.statsig1, salt: try node.salt("\(salt).\(ruleSalt)"), unit: unit)
        // As the SDKs compare: a whole number as a double, below the percentage times 100.
        let share = passPercentage * 100
        return (draw, Int(share) + (Double(Int(share)) < share ? 1 : 0))
    }

    static func isMissing(_ unit: String) -> Guard {
        .condition(["$or": [[unit: ["$exists": false]], [unit: ["$eq": ""]]]])
    }

    static let bucketCount = 1000

    struct Bucket {
        let draw: Draw
        let buckets: BucketSet

        /// Users without the ID have the number of an empty text.
        var condition: Guard {
            let hasNumber = Guard.draw(draw, buckets)
            guard buckets.contains(draw.numberOfEmptyText) else { return hasNumber }
            return .any([hasNumber, StatsigRule.isMissing(draw.unit)])
        }
    }

    func onlyBucket() throws(ImportProblem) -> Bucket? {
        guard conditions.count == 1, conditions[0]["type"]?.value == "user_bucket" else { return nil }
        return try Self.bucket(conditions[0])
    }

    static func bucket(_ condition: PayloadNode) throws(ImportProblem) -> Bucket {
        let salt = try condition["additionalValues"]?["salt"]?.text() ?? ""
        if salt.isEmpty { throw condition.problem("a condition on buckets without a salt has no equal in Allot") }
        let unit = StatsigFields.unit(of: try condition["idType"]?.text() ?? StatsigFields.userID)
        let draw = Draw(.statsig1, salt: try condition.salt(salt), unit: unit, resolution: bucketCount)
        let name = try condition.required("operator").text()
        let holds: (Int) -> Bool
        switch name {
        case "any", "none", "any_case_sensitive", "none_case_sensitive":
            var listed: Set<Int> = []
            let ignoresCase = !name.hasSuffix("_case_sensitive")
            for value in try condition.required("targetValue").listed(ignoringCase: ignoresCase) {
                switch value.value {
                case .string(let text): if let number = Int(text), "\(number)" == text { listed.insert(number) }
                // Texts are compared, so that 5.0 finds no user.
                default: if let number = Int(try value.number().text) { listed.insert(number) }
                }
            }
            holds = name.hasPrefix("any") ? { listed.contains($0) } : { !listed.contains($0) }
        case "lt", "lte", "gt", "gte":
            let target = try condition.required("targetValue")
            let number = target.value.text.flatMap { JSONNumber($0)?.double }
            guard let limit = target.value.isText ? number : try target.double() else {
                throw target.problem("expected a number here, not \(target.value.described)")
            }
            holds = { limit.admits(Double($0), "$\(name)") }
        default: throw condition.unknown(operator: name, " for buckets")
        }
        return Bucket(draw: draw, buckets: BucketSet((0..<bucketCount).filter(holds).map { $0..<$0 + 1 }))
    }
}

extension PayloadNode {
    /// The elements of a list, or the names in the map that version 2 writes in place of one: `{"-1": true}`. Statsig
    /// looks for the lower case of a value in a map, and where case matters finds none at all.
    func listed(ignoringCase: Bool) throws(ImportProblem) -> [PayloadNode] {
        guard case .object = value else { return try elements() }
        let names = try members().filter { ignoringCase && UTF8Order.areEqual($0.key, $0.key.lowercased()) }
        return names.map { PayloadNode(.string($0.key), path: $0.value.path) }
    }

    /// The text of the first of the members that is given; empty if none is.
    func firstText(_ keys: String...) throws(ImportProblem) -> String {
        for key in keys {
            if let member = self[key] { return try member.text() }
        }
        return ""
    }
}
