import AllotConfiguration
import AllotCore

/// Translates one condition of a rule: a value, the clock, a gate or a bucket, an operator and a target.
struct StatsigCondition {
    let node: PayloadNode
    let specs: StatsigSpecs
    let gates: StatsigGates

    func condition() throws(ImportProblem) -> Guard {
        let type = try node.required("type").text()
        switch type {
        case "public": return .always
        case "pass_gate": return try gates.passes(node.required("targetValue"))
        case "fail_gate": return .not(try gates.passes(node.required("targetValue")))
        case "user_bucket": return try StatsigRule.bucket(node).condition
        case "current_time": return try time()
        case "target_app": return try targetApp()
        case "experiment_group": return try group()
        case "user_field": return try field()
        case "unit_id": return try test(StatsigFields.unit(of: node["idType"]?.text() ?? StatsigFields.userID))
        case "environment_field": return try test("statsigEnvironment.\(node.required("field").text())", isText: true)
        case "ip_based":
            throw node.problem(
                "the country of an IP address is looked up where the user has none; Allot knows no addresses, so send "
                    + "the country as an attribute and use a condition on the user's field")
        case "ua_based":
            throw node.problem(
                "the browser or system is read from the user agent; Allot does not read it, so send it as an attribute "
                    + "and use a condition on a custom field")
        default: throw node.problem("conditions of the type \(QuotedText(type)) are not known to this importer")
        }
    }

    private func time() throws(ImportProblem) -> Guard {
        let target = try node.required("targetValue")
        guard let time = try StatsigTime(target) else { return .never }
        switch try node.required("operator").text() {
        case "before": return .period(starts: nil, ends: time.instant)
        case "after": return .period(starts: time.next, ends: nil)
        case "on": return .period(starts: time.day.start, ends: time.day.end)
        case let name: throw node.unknown(operator: name, " for the time")
        }
    }

    private func targetApp() throws(ImportProblem) -> Guard {
        guard let app = specs.app?.text else {
            throw node.problem("the app of a request is not known: the payload has no \"app_id\"")
        }
        let name = try node.required("operator").text()
        guard name == "any" || name == "none" else { throw node.unknown(operator: name, " for apps") }
        let targets = try node.required("targetValue").listed(ignoringCase: true)
        let isListed = targets.contains { $0.value.text.map { UTF8Key($0.lowercased()) } == UTF8Key(app.lowercased()) }
        return isListed == (name == "any") ? .always : .never
    }

    private func group() throws(ImportProblem) -> Guard {
        let name = try node.required("operator").text()
        guard ["any", "none", "any_case_sensitive", "none_case_sensitive"].contains(name) else {
            throw node.unknown(operator: name, " for groups")
        }
        let ignoresCase = !name.hasSuffix("_case_sensitive")
        func key(_ text: String) -> UTF8Key { UTF8Key(ignoresCase ? text.lowercased() : text) }
        let target = try node.required("targetValue")
        let names = try target.listed(ignoringCase: ignoresCase).map { name throws(ImportProblem) in try name.text() }
        let wanted = Set(names.map(key))
        if wanted.contains(UTF8Key("")) { throw target.problem("an empty name of a group has no equal in Allot") }
        let experiment = try node.required("field").text()
        let arms = Set(try specs.groups(of: experiment).filter { wanted.contains(key($0)) }.map(StatsigFlag.served))
        let isIn: Guard = arms.isEmpty ? .never : .serves(flag: experiment, arms: arms, orDefault: false)
        return name.hasPrefix("any") ? isIn : .not(isIn)
    }

    private func field() throws(ImportProblem) -> Guard {
        let attribute = StatsigFields.attribute(of: try node.required("field").text())
        guard attribute == StatsigFields.userID || !specs.survey.idTypes.contains(UTF8Key(attribute)) else {
            throw node.problem(
                "\(QuotedText(attribute)) is an ID type as well. Statsig keeps the fields and IDs of users apart; "
                    + "in Allot they would be one attribute; use a condition on the unit ID, or rename the field")
        }
        return try test(attribute)
    }

    private func test(_ attribute: String, isText: Bool? = nil) throws(ImportProblem) -> Guard {
        guard !attribute.isEmpty, !attribute.hasPrefix("$") else {
            throw node.problem("\(QuotedText(attribute)) cannot be the name of an attribute")
        }
        let name = try node.required("operator").text()
        let test = StatsigTest(
            attribute: attribute, isText: isText ?? StatsigFields.isText(attribute),
            target: node.member("targetValue"), node: node)
        switch name {
        case "any", "any_case_sensitive": return try test.isAny(ignoringCase: name == "any")
        case "none", "none_case_sensitive": return .not(try test.isAny(ignoringCase: name == "none"))
        case "str_starts_with_any": return try test.hasPart("$startsWithi") { $0.hasPrefix($1) }
        case "str_ends_with_any": return try test.hasPart("$endsWithi") { $0.hasSuffix($1) }
        case "str_contains_any": return try test.hasPart("$containsi") { $1.isEmpty || $0.contains($1) }
        case "str_contains_none": return .not(try test.hasPart("$containsi") { $1.isEmpty || $0.contains($1) })
        case "str_matches": return try test.matches()
        case "eq": return try test.isEqual()
        case "neq": return .not(try test.isEqual())
        case "gt", "gte", "lt", "lte": return try test.compares("$\(name)")
        case "version_gt", "version_gte", "version_lt", "version_lte", "version_eq", "version_neq":
            return try test.compares(version: String(name.dropFirst("version_".count)))
        case "before", "after", "on": return try test.compares(time: name)
        case "array_contains_any", "array_contains_none", "array_contains_all", "not_array_contains_all":
            let isNegated = name == "array_contains_none" || name == "not_array_contains_all"
            return try test.contains(all: name.hasSuffix("all"), isNegated: isNegated)
        case "in_segment_list", "not_in_segment_list":
            throw node.problem("the members of an ID list are not in the payload: the SDK downloads them on their own")
        default: throw node.unknown(operator: name)
        }
    }
}
