import AllotConfiguration

/// The gates that only conditions use, segments and holdouts: named conditions if they have no draw, else written out.
struct StatsigGates {
    private let specs: StatsigSpecs
    private var known: [UTF8Key: Result<Guard, ImportProblem>] = [:]

    private static let maximumDepth = 50

    init(_ specs: StatsigSpecs, into project: inout ImportedProject) {
        self.specs = specs
        for spec in specs.all where spec.isInternal { read(spec, depth: 0, into: &project) }
    }

    /// When the gate that a condition names passes. One that does not exist never does.
    func passes(_ target: PayloadNode) throws(ImportProblem) -> Guard {
        let name = try target.text()
        guard let gate = specs.spec(.gate, name) else { return .never }
        guard gate.isInternal else { return .serves(flag: name, arms: ["true"], orDefault: false) }
        guard let found = known[UTF8Key(name)] else { throw target.problem("gates refer to each other in a cycle") }
        return try found.get()
    }

    private mutating func read(_ gate: StatsigSpecs.Spec, depth: Int, into project: inout ImportedProject) {
        let key = UTF8Key(gate.name)
        guard known[key] == nil else { return }
        known[key] = .failure(gate.node.problem("gates refer to each other in a cycle, or too deep"))
        guard depth < Self.maximumDepth else { return }
        do throws(ImportProblem) {
            for name in try specs.gates(in: gate) {
                guard let inner = specs.spec(.gate, name), inner.isInternal else { continue }
                read(inner, depth: depth + 1, into: &project)
            }
            let condition = try translated(gate)
            known[key] = .success(project.naming(condition, gate.name, comment: "Statsig: \(gate.name)"))
        } catch {
            known[key] = .failure(error)
        }
    }

    private func translated(_ gate: StatsigSpecs.Spec) throws(ImportProblem) -> Guard {
        try specs.checkOverrides(of: gate.name)
        guard gate.node["defaultValue"]?.value == false else {
            throw gate.node.problem("a segment or holdout with another default than false")
        }
        var found: [Guard] = []
        var earlier: [Guard] = []
        for rule in try gate.node.list("rules") {
            let reading = try StatsigRule(rule, of: gate, specs)
            let condition = try reading.condition(self)
            // One that returns false, such as for users whom a holdout is not for, ends the search as well.
            if try rule.required("returnValue").boolean() {
                found.append(.all(earlier.map { .not($0) } + [condition, try reading.passes()]))
            }
            earlier.append(condition)
        }
        return .any(found)
    }
}

extension StatsigRule {
    fileprivate func passes() throws(ImportProblem) -> Guard {
        switch passPercentage {
        case 100...: return .always
        case ...0: return .never
        default:
            let (draw, border) = try passBucketing()
            return Bucket(draw: draw, buckets: [0..<border]).condition
        }
    }
}
