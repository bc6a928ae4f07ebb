import Allot
import AllotConfiguration

/// Writes a project of another system as definitions: settings, experiments, layers and segments.
struct ProjectLowering {
    private(set) var flags: [LoweredFlag] = []
    private(set) var inexact: [InexactFlag]
    private(set) var gates = GateTable()
    private let project: ImportedProject
    private var names = NameTable(reserved: ["base", "layers", "holdouts", "segments", "tests", "schema"])
    private var alternatives = GuardAlternatives()
    private var states: [String: State] = [:]

    private enum State {
        /// It is being lowered: a flag that needs it depends on itself.
        case open
        case done
        case failed(ImportProblem)
    }

    /// Lowers all flags. Those that cannot be exact are collected.
    init(_ project: ImportedProject) {
        self.project = project
        inexact = project.inexact
        let indices = Dictionary(
            project.flags.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        for flag in inexact { states[flag.key] = .failed(flag.problem) }
        for index in project.flags.indices { lower(index, indices) }
        LayerTable.settle(&flags, &gates, &names)
    }

    /// Lowers a flag after those that it depends on. Complexity: a stack as deep as the longest chain of flags.
    private mutating func lower(_ index: Int, _ indices: [String: Int]) {
        let flag = project.flags[index]
        guard states[flag.key] == nil else { return }
        states[flag.key] = .open
        do throws(ImportProblem) {
            for rule in flag.rules {
                for key in rule.condition.flags { try require(key, at: rule.path, indices) }
            }
            var lowering = FlagLowering(flag, mainUnit: project.mainUnit, alternatives: alternatives)
            let lowered = try lowering.lower(&gates, &names)
            states[flag.key] = .done
            alternatives.flags[flag.key] = lowered
            flags.append(lowered)
        } catch {
            states[flag.key] = .failed(error)
            inexact.append(InexactFlag(key: flag.key, path: flag.path, problem: error))
        }
    }

    private mutating func require(
        _ key: String, at path: PayloadPath, _ indices: [String: Int]
    ) throws(ImportProblem) {
        if let index = indices[key] { lower(index, indices) }
        switch states[key] {
        case .done: break
        case .open: throw ImportProblem(path, "it depends on \(QuotedText(key)), which depends on it")
        case .failed(let problem):
            throw ImportProblem(
                path, "it depends on \(QuotedText(key)), which cannot be imported exactly (\(problem.path))")
        case nil: throw ImportProblem(path, "it depends on \(QuotedText(key)), which the payload does not have")
        }
    }
}

extension Guard {
    /// The keys of the flags that it depends on.
    fileprivate var flags: [String] {
        switch self {
        case .serves(let flag, _, _): [flag]
        case .all(let parts), .any(let parts): parts.flatMap(\.flags)
        case .not(let part): part.flags
        case .always, .never, .condition, .draw, .layer, .period: []
        }
    }
}
