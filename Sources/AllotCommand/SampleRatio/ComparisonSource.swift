import Allot
import AllotAnalysis

/// Where the expected shares come from, and so which comparisons a file holds.
enum ComparisonSource {
    /// Shares that were given, for one comparison.
    case shares(GivenShares)
    /// The experiments of definitions.
    ///
    /// - Parameter at: the instant that was named, if one was.
    case plan(Plan, at: Instant?)

    /// Reads definitions unless shares are given.
    init(_ options: SampleRatioOptions, _ definitions: DefinitionsOptions) throws {
        if let shares = options.shares {
            self = .shares(shares)
            return
        }
        do {
            self = .plan(try definitions.load().plan, at: definitions.at)
        } catch let failure as CommandFailure {
            throw failure.adding("allot: without definitions, give the shares, such as --shares control=50%,green=50%")
        }
    }

    /// The keys of the experiments that are known.
    var experimentKeys: [String] {
        if case .plan(let plan, _) = self { plan.experiments.map(\.key) } else { [] }
    }
}
