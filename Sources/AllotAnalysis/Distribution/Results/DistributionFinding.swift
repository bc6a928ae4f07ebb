import AllotStatistics

/// Something that is wrong.
public struct DistributionFinding: Sendable, Hashable {
    /// What is wrong: a clause that could stand behind a colon.
    public let text: String
    /// The name of the sample that shows it; `nil` where no unit ID is needed to see it.
    public let sample: String?
    /// The p-value of the test that fails, after Holm's correction; `nil` where no test is needed.
    public let adjustedPValue: PValue?

    /// The clause with the sample and the p-value.
    public var description: String {
        let evidence = [sample, adjustedPValue.map { "adjusted p = \($0)" }].compactMap { $0 }
        return evidence.isEmpty ? text : "\(text) (\(evidence.joined(separator: "; ")))"
    }
}
