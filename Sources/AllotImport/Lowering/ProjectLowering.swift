import AllotConfiguration
import AllotCore

/// Writes a project of another system as definitions: settings, experiments, layers and gates.
struct ProjectLowering {
    private(set) var flags: [LoweredFlag] = []
    private(set) var inexact: [InexactFlag]
    private(set) var gates = GateTable()
    private(set) var layers: [(name: String, draw: Draw)] = []
    let project: ImportedProject
    /// Has the flags that are done.
    private var alternatives = GuardAlternatives()
    private var failed: [UTF8Key: ImportProblem] = [:]
    /// The flags whose lowering has begun: one that needs one of them, and not a result, depends on itself.
    private var opened: Set<UTF8Key> = []
    private var settings: [UTF8Key: String] = [:]

    init(_ project: ImportedProject) {
        self.project = project
        inexact = project.inexact
        let indices = Dictionary(
            project.flags.enumerated().map { (UTF8Key($1.key), $0) }, uniquingKeysWith: { first, _ in first })
        for flag in inexact { failed[UTF8Key(flag.key)] = flag.problem }
        for index in project.flags.indices { lowerAfterOthers(index, indices) }
        gates.keep(Set(flags.flatMap { $0.experiments.flatMap(\.rest.requirements.keys) }))
        layers = LayerTable(settling: &flags, &gates).layers
    }

    var notes: [String] {
        guard project.needsUnit else { return [] }
        return flags.filter(\.hasDefaultExperiment).map { flag in
            "The default of \(QuotedText(flag.key)) is served by an experiment of its own, so users without "
                + "\(QuotedText(project.mainUnit)) do not get it."
        }
    }

    /// Lowers a flag after its dependencies, without recursion: chains may be long.
    private mutating func lowerAfterOthers(_ index: Int, _ indices: [UTF8Key: Int]) {
        var pending: [(index: Int, dependencies: [Int])] = []
        func open(_ index: Int) {
            let flag = project.flags[index]
            guard failed[UTF8Key(flag.key)] == nil, opened.insert(UTF8Key(flag.key)).inserted else { return }
            let keys = flag.rules.flatMap(\.condition.flags)
            pending.append((index, keys.reversed().compactMap { indices[UTF8Key($0)] }))
        }
        open(index)
        while let last = pending.indices.last {
            if let next = pending[last].dependencies.popLast() {
                open(next)
            } else {
                lower(project.flags[pending[last].index])
                pending.removeLast()
            }
        }
    }

    private mutating func lower(_ flag: ImportedFlag) {
        do throws(ImportProblem) {
            for rule in flag.rules {
                for key in rule.condition.flags { try require(key, at: rule.path) }
                try check(rule)
            }
            try checkSettings(of: flag)
            var lowering = FlagLowering(flag, of: project)
            let lowered = try lowering.lower(alternatives, &gates)
            alternatives.flags[UTF8Key(flag.key)] = lowered
            flags.append(lowered)
        } catch {
            failed[UTF8Key(flag.key)] = error
            inexact.append(InexactFlag(key: flag.key, path: flag.path, problem: error))
        }
    }

    private func require(_ key: String, at path: PayloadPath) throws(ImportProblem) {
        if alternatives.flags[UTF8Key(key)] != nil { return }
        let reason =
            if let problem = failed[UTF8Key(key)] { "cannot be exact (\(problem.path))" } else {
                opened.contains(UTF8Key(key)) ? "depends on it" : "the payload does not have"
            }
        throw ImportProblem(path, "the flag depends on \(QuotedText(key)), which \(reason)")
    }

    private mutating func checkSettings(of flag: ImportedFlag) throws(ImportProblem) {
        for setting in flag.settings {
            if setting.name.isEmpty { throw ImportProblem(flag.path, "the flag has no name") }
            if let other = settings[UTF8Key(setting.name)] {
                throw ImportProblem(
                    flag.path, "the setting \(QuotedText(setting.name)) is also of \(QuotedText(other))")
            }
        }
        for setting in flag.settings { settings[UTF8Key(setting.name)] = flag.key }
    }

    private func check(_ rule: ImportedRule) throws(ImportProblem) {
        for draw in rule.draws where ForeignHash(draw.scheme, salt: draw.salt, resolution: draw.resolution) == nil {
            guard ForeignHash.isSalt(draw.salt, of: draw.scheme) else {
                throw ImportProblem(rule.path, salt: draw.salt, of: draw.scheme)
            }
            throw ImportProblem(rule.path, "\(draw.bucketCount) buckets are not possible with \(draw.scheme.rawValue)")
        }
    }
}
