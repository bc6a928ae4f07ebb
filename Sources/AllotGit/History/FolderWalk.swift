import AllotCore
import AllotDefinitions

/// Loads the states of a folder one after another, and compares each with the last one that could be loaded.
struct FolderWalk {
    enum Step {
        case same
        case broken([DefinitionProblem])
        /// Another plan, which is empty for a folder that does not exist.
        case changed(from: Plan, to: Plan)
    }

    private(set) var plan = Self.empty
    private var tree: String?
    private let limits: DefinitionLimits

    init(_ limits: DefinitionLimits) {
        var limits = limits
        // That a folder was empty for a while is part of its history.
        limits.allowsEmpty = true
        self.limits = limits
    }

    mutating func step(to state: FolderHistory.State, _ reader: inout GitFolderReader) throws -> Step {
        let old = plan
        switch try reader.folder(state.path, in: state.commit.id) {
        case .tree(let id, let entries):
            guard id != tree else { return .same }
            tree = id
            do {
                let loader = DefinitionsLoader(now: state.commit.committed, limits: limits)
                let content = try reader.content(of: entries)
                plan = try loader.load(content, folder: "\(state.commit.shortID):\(state.path)").plan
            } catch DefinitionsError.invalid(let problems) { return .broken(problems) }
        case .file, .missing:
            tree = nil
            plan = Self.empty
        }
        return .changed(from: old, to: plan)
    }

    private static var empty: Plan {
        Plan(Definitions(base: [:], meta: [:], layers: [], holdouts: [], experiments: []))
    }
}
