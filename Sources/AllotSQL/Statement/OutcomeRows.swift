/// The decisions of the long layout as numbers, and what the numbers of each experiment mean.
struct OutcomeRows {
    /// The names of columns that are lists with one element for each experiment.
    static let outcomes = InternalNames.prefix + "outcome_list"
    static let buckets = InternalNames.prefix + "bucket_list"
    static let units = InternalNames.prefix + "unit_list"

    struct Experiment {
        /// The unit as an expression.
        let unit: String
        /// The key as a literal.
        let key: String
        /// By outcome the variant's key as a literal, or NULL.
        let variants: [String]
        /// By outcome the reason as a literal.
        let reasons: [String]
        /// The revision as a literal.
        let revision: String
    }

    let experiments: [Experiment]
    /// The unit of all rows; `nil` if rows differ in it, so that there is the column ``units``.
    let commonUnit: String?
    let source: String
}
