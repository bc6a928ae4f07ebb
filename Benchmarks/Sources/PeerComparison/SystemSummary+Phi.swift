import AllotAnalysis

extension SystemSummary {
    /// How strongly the halves of two salts depend on each other.
    public struct Dependence: Sendable {
        /// The correlation, -1 to 1.
        public let phi: Double
        public let left: String
        public let right: String
        /// What the unit IDs look like.
        public let shape: String
    }

    /// The strongest dependence of any pair of salts on any shape; the first of equal ones.
    public var strongest: Dependence? {
        dependences.max { abs($0.phi) < abs($1.phi) }
    }

    /// The dependence of two salts on unit IDs of a shape.
    public func dependence(_ left: String, _ right: String, on shape: UnitShape) -> Dependence? {
        dependences.first { $0.left == left && $0.right == right && $0.shape == shape.rawValue }
    }

    private var dependences: [Dependence] {
        report.samples.flatMap { sample in
            sample.pairs.map { pair in
                Dependence(
                    phi: pair.phi, left: report.randomisations[pair.left].name,
                    right: report.randomisations[pair.right].name, shape: sample.name)
            }
        }
    }
}
