/// What is fuzzed: each target takes any bytes, must not trap, hang or fill the memory, and checks what has to hold for
/// them. What does not hold is a trap.
enum FuzzTarget: String, CaseIterable {
    case definitions, conditions, patterns, csv, targets, bodies, tokens

    /// The target that the program's first argument names.
    static let chosen = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.init)

    func run(_ bytes: [UInt8]) {
        switch self {
        case .definitions: fuzzDefinitions(bytes)
        case .conditions: fuzzConditions(bytes)
        case .patterns: fuzzPatterns(bytes)
        case .csv: fuzzCSV(bytes)
        case .targets: fuzzTargets(bytes)
        case .bodies: fuzzBodies(bytes)
        case .tokens: fuzzTokens(bytes)
        }
    }
}

/// Stops with a message if something does not hold.
func check(_ holds: Bool, _ message: @autoclosure () -> String) {
    guard !holds else { return }
    fatalError(message())
}
