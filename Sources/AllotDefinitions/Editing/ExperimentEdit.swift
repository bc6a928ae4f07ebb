import Allot

/// What is to be changed in the file of an experiment.
package struct ExperimentEdit: Sendable {
    /// The new buckets of every variant, or none to leave the division as it is. A variant that the file does not have
    /// is added at the end, without overrides.
    package var buckets: [(variant: String, ranges: [Range<Int>])] = []
    /// The new traffic in buckets, or `nil` to leave it.
    package var traffic: Int?

    package init() {}
}

/// Why a file cannot be edited.
package struct ExperimentEditError: Error, CustomStringConvertible {
    package let description: String
}
