import Allot
import AllotAnalysis
import ArgumentParser

extension VariantShare {
    /// Reads a variant and its share, such as `control=20%`.
    init(argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw ValidationError("\"\(argument)\" is not a share of a variant; write it like control=20%")
        }
        self.init(parts[0], buckets: try Percentage.buckets(argument: parts[1]))
    }
}

extension Percentage {
    /// Reads a percentage of the command line.
    static func buckets(argument: String) throws -> Int {
        guard let buckets = parse(argument) else {
            throw ValidationError("\"\(argument)\" is not a valid share: \(form)")
        }
        return buckets
    }
}
