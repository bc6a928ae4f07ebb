import AllotConfiguration
import AllotCore

/// One feature: holdouts, its experiments, and the rules of its rollout, in this order.
struct OptimizelyFeature {
    private let node: PayloadNode
    private let key: String
    private let datafile: OptimizelyDatafile
    private let variables: [Variable]

    private struct Variable {
        let id: String
        let setting: String
        let type: String
        let defaultValue: JSONValue
    }

    init(_ node: PayloadNode, _ datafile: OptimizelyDatafile) throws(ImportProblem) {
        self.node = node
        self.datafile = datafile
        let key = try node.required("key").text()
        self.key = key
        variables = try node.list("variables").map { variable throws(ImportProblem) -> Variable in
            var type = try variable.required("type").text()
            if type == "string", variable["subType"]?.value == "json" { type = "json" }
            return Variable(
                id: try variable.required("id").text(), setting: "\(key).\(try variable.required("key").text())",
                type: type, defaultValue: try Self.value(try variable.required("defaultValue"), type: type))
        }
    }

    func flag() throws(ImportProblem) -> ImportedFlag {
        let settings = [ImportedSetting(key, false)] + variables.map { ImportedSetting($0.setting, $0.defaultValue) }
        var flag = ImportedFlag(key: key, path: node.path, settings: settings)
        // A user who is held out with deliveries allowed passes further holdouts, and experiments of other kinds.
        var passed: [Guard] = []
        for holdout in datafile.holdouts {
            let condition = Guard.not(.any(passed))
            if holdout.allowsDeliveries {
                passed.append(try holdout.condition(datafile.audiences))
            } else {
                flag.rules.append(try holdout.rule(datafile.audiences, condition: condition, heldOut))
            }
        }
        let rollout = try datafile.rolloutRules(of: node)
        for id in try node.list("experimentIds") {
            let experiment = try datafile.experiment(id)
            let condition = experiment.kind == "td" ? Guard.always : .not(.any(passed))
            for holdout in datafile.localHoldouts[experiment.id] ?? [] {
                flag.rules.append(try holdout.rule(datafile.audiences, condition: condition, heldOut))
            }
            let everyoneElse = experiment.kind == "fr" ? try rollout.last?.firstVariation() : nil
            flag.rules += try experiment.rules(
                datafile.audiences, condition: condition, everyoneElse: everyoneElse, arm)
        }
        flag.rules += try rules(of: rollout)
        return flag
    }

    /// The rules of a rollout. A user in the audience of a rule whom it does not draw goes on to the last rule.
    private func rules(of rollout: [OptimizelyExperiment]) throws(ImportProblem) -> [ImportedRule] {
        var rules: [ImportedRule] = []
        var earlier: [JSONValue] = []
        for (index, rule) in rollout.enumerated() {
            let isLast = index == rollout.count - 1
            let reached = Guard.condition(isLast ? .always : .not(.any(earlier)))
            for holdout in datafile.localHoldouts[rule.id] ?? [] {
                rules.append(try holdout.rule(datafile.audiences, condition: reached, heldOut))
            }
            let audience = try datafile.audiences.condition(of: rule.node)
            rules.append(try rule.rule(.all([reached, .condition(audience)]), arm))
            earlier.append(audience)
        }
        return rules
    }

    private func arm(_ variation: PayloadNode) throws(ImportProblem) -> Arm {
        let isEnabled = try variation["featureEnabled"]?.boolean() ?? false
        var settings = [ImportedSetting(key, .boolean(isEnabled))]
        if isEnabled {
            var values: [String: PayloadNode] = [:]
            for usage in try variation.list("variables") {
                values[try usage.required("id").text()] = try usage.required("value")
            }
            for variable in variables {
                guard let value = values[variable.id] else { continue }
                settings.append(ImportedSetting(variable.setting, try Self.value(value, type: variable.type)))
            }
        }
        return Arm(key: try variation.required("key").text(), settings: settings)
    }

    private func heldOut(_ variation: PayloadNode) throws(ImportProblem) -> Arm {
        if let enabled = variation["featureEnabled"], try enabled.boolean() {
            throw enabled.problem("a holdout with a variation that is on has no values for the feature's variables")
        }
        return try arm(variation)
    }

    private static func value(_ node: PayloadNode, type: String) throws(ImportProblem) -> JSONValue {
        let text = try node.text()
        switch type {
        case "boolean": return .boolean(text == "true")
        case "string": return .string(text)
        case "integer":
            guard let number = Int(text) else { throw node.problem("\(QuotedText(text)) is not a whole number") }
            return .number(JSONNumber(number))
        case "double":
            guard let double = RustNumber.number(of: text) else {
                throw node.problem("\(QuotedText(text)) is not a number")
            }
            return .number(double)
        case "json": return try node.parsed(text)
        default: throw node.problem("unknown type of variable \(QuotedText(type))")
        }
    }
}
