import AllotConfiguration

/// What may be hashed as a unit ID.
public enum UnitID {
    /// The longest unit ID in bytes of UTF-8.
    public static var maximumLength: Int { UnitContract.maximumLength }

    /// Whether a unit ID of this many bytes can be assigned; the bytes are known to be valid UTF-8.
    @inline(__always)
    package static func isValidLength(_ count: Int) -> Bool {
        count >= 1 && count <= maximumLength
    }
}
