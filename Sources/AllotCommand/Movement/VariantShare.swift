import Allot
import ArgumentParser

/// A variant and its share on the command line: `control=20%`.
struct VariantShare {
    let variant: String
    /// The share in buckets.
    let buckets: Int

    /// Reads an argument.
    init(argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw ValidationError("\"\(argument)\" is no share of a variant; write it like control=20%")
        }
        variant = parts[0]
        buckets = try Percentage.buckets(argument: parts[1])
    }
}

extension Percentage {
    /// Reads a percentage of the command line.
    static func buckets(argument: String) throws -> Int {
        guard let buckets = parse(argument) else { throw ValidationError("\"\(argument)\" is none: \(form)") }
        return buckets
    }
}
