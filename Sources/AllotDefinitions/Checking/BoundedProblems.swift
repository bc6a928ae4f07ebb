import AllotConfiguration

/// The problems of one kind that an experiment has with others: the first of them, and the number of further ones.
struct BoundedProblems {
    private static let limit = 20

    private let experiment: ExperimentFile
    private let noun: String
    private var listed: [DefinitionProblem] = []
    private var count = 0

    init(of experiment: ExperimentFile, _ noun: String) { (self.experiment, self.noun) = (experiment, noun) }

    var isFull: Bool { count >= Self.limit }

    mutating func add(_ problem: @autoclosure () -> DefinitionProblem) {
        count += 1
        if count <= Self.limit { listed.append(problem()) }
    }

    var problems: [DefinitionProblem] {
        guard count > listed.count else { return listed }
        let others = counted(count - listed.count, "further \(noun)")
        let message = "not listed: \(others) of \(experiment.definition.key); fix the others first"
        return listed + [experiment.problem(at: nil, message)]
    }
}
