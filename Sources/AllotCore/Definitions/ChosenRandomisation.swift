/// The choice of an experiment's salt for balance, as its definition records it, so that it can be repeated: with the
/// same units and covariates the same salt is chosen. No decision and no revision depends on it.
package struct ChosenRandomisation: Sendable, Hashable {
    /// The rule that chose among candidates.
    package enum Rule: Sendable, Hashable {
        /// The first one whose distance has at most this probability.
        case accept(Double)
        /// The best one of this number.
        case tries(Int)
    }

    package static let criterion = "mahalanobis"
    /// The least share that is accepted: one salt of a million, which are as many as can be tried.
    package static let leastShare = 0.000001
    /// The columns that were balanced.
    package let balance: [String]
    package let rule: Rule
    /// The number of candidates that the rule needed to choose.
    package let tried: Int
    /// The distance of the arms under the chosen salt.
    package let distance: Double
    /// The SHA-256 of the file of units, as 64 hexadecimal digits.
    package let users: String

    package init(balance: [String], rule: Rule, tried: Int, distance: Double, users: String) {
        (self.balance, self.rule, self.tried, self.distance) = (balance, rule, tried, distance)
        self.users = users
    }

    /// The candidate of a number from 1 on, which is a salt unless it is too long. Returns `nil` then.
    package static func salt(_ number: Int, of experiment: String) -> Salt? { Salt("\(experiment).\(number)") }
}
