/// What the rows of a file were, so that none is dropped in silence.
public struct RowCounts: Sendable, Hashable {
    /// Rows of this comparison.
    public internal(set) var rows = 0
    /// Rows that name a unit again, in the variant that it had first or in another.
    public internal(set) var repeats = 0
    /// Rows without a unit ID.
    public internal(set) var withoutUnit = 0
    /// Rows without a variant: units that take no part.
    public internal(set) var withoutVariant = 0
    /// Rows of variants that were to be left out.
    public internal(set) var ignored = 0
    /// Rows of units that hold the winner, which is not drawn.
    public internal(set) var winners = 0
    /// Rows of forced units, whose variants are not drawn either.
    public internal(set) var forced = 0
    /// The forced units.
    public internal(set) var forcedUnits = 0

    init() {}

    /// Why rows do not count, in words.
    var exclusions: [String] {
        [
            (withoutUnit, "without a unit ID"), (withoutVariant, "without a variant"), (ignored, "to be ignored"),
            (winners, "of units that hold the winner"), (forced, "of forced units"),
        ]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }
}
