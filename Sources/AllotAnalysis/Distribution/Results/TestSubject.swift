/// What a test of a sample is about; the numbers are indices into the sample.
enum TestSubject: Sendable, Hashable {
    /// The buckets of all randomisations together.
    case pooled(Randomisation.Bucket)
    /// The counts of a randomisation.
    case shares(Int)
    /// The buckets of a randomisation.
    case buckets(Int, Randomisation.Bucket)
    /// First and second bucket of a randomisation.
    case independence(Int)
    /// Two randomisations.
    case pair(Int)
    /// The false-positive rate at a level.
    case rate(Int)
    /// The p-values of the A/A comparisons.
    case trialUniformity

    /// What is wrong when the test fails: a main clause without subject to the left.
    func failure(in sample: DistributionSample) -> String {
        func name(_ index: Int) -> String { sample.divisions[index].randomisation.label }
        switch self {
        case .pooled(let bucket): return "the \(bucket.rawValue) buckets of all salts are not uniform"
        case .shares(let index): return "the counts of \(name(index)) do not fit its shares"
        case .buckets(let index, let bucket): return "the \(bucket.rawValue) buckets of \(name(index)) are not uniform"
        case .independence(let index): return "enrolment and variant of \(name(index)) depend on each other"
        case .pair(let index):
            let pair = sample.pairs[index]
            return "\(name(pair.left)) and \(name(pair.right)) depend on each other"
        case .rate(let index):
            let percent = NumberText.percent(sample.trial?.levels[index].nominal ?? 0)
            return "A/A comparisons at \(percent) find too many or too few differences"
        case .trialUniformity: return "the p-values of A/A comparisons are not uniform"
        }
    }
}
