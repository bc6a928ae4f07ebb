import AllotConfiguration

/// The rule of unit IDs: text of 1 to 1024 bytes of UTF-8, taken exactly as it is, or a whole number, which
/// counts as its decimal text.
public enum UnitID {
    /// The longest unit ID in bytes of UTF-8.
    public static var maximumLength: Int { UnitContract.maximumLength }
    /// Whether a unit ID of this many bytes can be assigned; the bytes are known to be valid UTF-8.
    @inline(__always) package static func isValidLength(_ count: Int) -> Bool { count >= 1 && count <= maximumLength }

    /// Whether an attribute's value can be hashed. A value of type number has digits only if ``digits(of:)`` gives
    /// some.
    @inline(__always) static func isValid(_ value: AttributeValue) -> Bool {
        (value.isText || value.isWholeNumber) && isValidLength(value.length)
    }

    /// The decimal text of a number from JSON that can be a unit ID: whole, of a magnitude below 2^53, and written
    /// without fraction and exponent. Returns `nil` for other numbers.
    package static func digits(of number: JSONNumber) -> String? {
        let double = number.double
        guard number.isWrittenAsInteger, abs(double) < 9_007_199_254_740_992 else { return nil }
        return double == 0 ? "0" : number.text
    }
}
