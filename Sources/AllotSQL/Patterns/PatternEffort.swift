import AllotCore

/// How much a backtracking engine may have to try for a pattern, in terms of the length of the text.
struct PatternEffort {
    /// The power of the text's length by which the steps grow.
    private var steps = 0
    /// The power of the text's length by which the ways to match from one place grow.
    private var ways = 0
    /// The factor of both that does not depend on the text.
    private var factor = 1.0

    /// Four times 4,096³, which three unbounded repetitions try in a text of 4,096 bytes, and Java in two minutes.
    private static let mostTrials = 0x1p38
    /// Bounds beyond this number count as none.
    private static let fewRepetitions = 64

    /// That of one scalar, or of none.
    init() {}

    /// That of a loop that is left in one way.
    static let ofScan = PatternEffort(steps: 1, ways: 0)

    private init(steps: Int, ways: Int, factor: Double = 1) {
        (self.steps, self.ways, self.factor) = (steps, ways, factor)
    }

    /// - Parameter isDecided: whether the next scalar decides where the repetition ends.
    init(repeatedScalar minimum: Int, _ maximum: Int?, isDecided: Bool) {
        let isLong = maximum.map { $0 - (isDecided ? 0 : minimum) > Self.fewRepetitions } ?? true
        if isLong {
            self.init(steps: 1, ways: isDecided ? 0 : 1)
        } else if let maximum, !isDecided {
            self.init(steps: 0, ways: 0, factor: Double(maximum - minimum + 1))
        } else {
            self.init()
        }
    }

    /// The effort of a repeated group, in which the engine may backtrack.
    init(repeatedGroup body: PatternEffort, minimum: Int, maximum: Int) {
        self.init()
        for _ in 0..<maximum { self = body.followed(by: self) }
        factor *= Double(maximum - minimum + 1)
    }

    init(choiceOf branches: [PatternEffort]) {
        self.init(
            steps: branches.map(\.steps).max() ?? 0, ways: branches.map(\.ways).max() ?? 0,
            factor: branches.reduce(0) { $0 + $1.factor })
    }

    /// That of a sequence: what comes next is tried for each way to match this.
    func followed(by next: PatternEffort) -> PatternEffort {
        PatternEffort(
            steps: max(steps, ways + next.steps), ways: ways + next.ways, factor: factor * next.factor)
    }

    /// Whether the number of places where a match can end grows with the text.
    var endsInManyPlaces: Bool { ways > 0 }

    /// - Parameter places: the power of the text's length that the places to begin at grow with.
    func isBearable(places: Int) -> Bool {
        let length = Double(RegularExpression.maximumTextLength)
        return (0..<steps + places).reduce(factor) { trials, _ in trials * length } <= Self.mostTrials
    }
}

extension Pattern {
    /// Whether a match can only begin where the text does.
    var isAtTextStart: Bool {
        switch self {
        case .assertion(.textStart): true
        case .sequence(let parts): parts.first?.isAtTextStart ?? false
        case .choice(let branches): branches.allSatisfy(\.isAtTextStart)
        case .repetition(let body, let minimum, _): minimum > 0 && body.isAtTextStart
        default: false
        }
    }

    /// The scalars of a pattern that always matches one number of them; `nil` for other patterns.
    var scalarsOfFixedLength: ScalarSet? {
        switch self {
        case .empty, .assertion: ScalarSet([])
        case .scalar(let set): set
        case .repetition(.scalar(let set), let minimum, let maximum) where maximum == minimum: set
        default: nil
        }
    }
}
