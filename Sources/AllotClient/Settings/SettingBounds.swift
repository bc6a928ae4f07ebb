/// A range of numbers that includes its ends, either of which may be open: `1...100`, `1...`, `...100`.
public protocol SettingBounds<Bound> {
    /// A number.
    associatedtype Bound: Comparable
    /// The least value in the range; `nil` for none.
    var minimum: Bound? { get }
    /// The greatest value in the range; `nil` for none.
    var maximum: Bound? { get }
}

/// Bounds that come from somewhere else than a literal: where `a...b` traps if `b` is below `a`, these are a finding of
/// ``SettingsCatalog``.
public struct SettingRange<Bound: Comparable & Sendable>: SettingBounds, Sendable {
    public let minimum: Bound?
    public let maximum: Bound?

    /// Names the ends.
    public init(minimum: Bound?, maximum: Bound?) {
        self.minimum = minimum
        self.maximum = maximum
    }
}

extension ClosedRange: SettingBounds {
    public var minimum: Bound? { lowerBound }
    public var maximum: Bound? { upperBound }
}

extension PartialRangeFrom: SettingBounds {
    public var minimum: Bound? { lowerBound }
    public var maximum: Bound? { nil }
}

extension PartialRangeThrough: SettingBounds {
    public var minimum: Bound? { nil }
    public var maximum: Bound? { upperBound }
}
