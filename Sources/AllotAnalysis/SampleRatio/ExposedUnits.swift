import Allot

/// Which units of one randomisation were seen, each in which variant and period first, so that a unit counts once.
///
/// A *period* is the time of one revision of the definition.
struct ExposedUnits: Sendable {
    /// What was known of a unit.
    enum Finding: Sendable, Hashable {
        /// It was not seen before.
        case new
        /// It was seen before, always in this variant, or was already found to be in several.
        case repeated
        /// It was seen before in another variant, and only in that one.
        case inAnotherVariant(first: String, period: Int, line: Int)
    }

    private var ledger = UnitLedger()
    private var variants = VariantTable([], limit: Self.variantLimit)

    /// Further variants are taken for one.
    private static let variantLimit = 1000

    /// Records that a row names a unit. Complexity: O(length of the unit and the variant), expected.
    mutating func record(_ unit: Span<UInt8>, variant key: Span<UInt8>, period: Int, line: Int) -> Finding {
        let variant = variants.find(key) ?? variants.keys.count
        switch ledger.record(unit, variant: variant, period: period, line: line) {
        case .new: return .new
        case .repeated: return .repeated
        case .inAnotherVariant(let first, let period, let line):
            let isKnown = variants.keys.indices.contains(first)
            return .inAnotherVariant(first: isKnown ? variants.keys[first] : "", period: period, line: line)
        }
    }
}
