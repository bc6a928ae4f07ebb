extension Exposure {
    /// The years that RFC 3339 can write: 0000 to 9999.
    private static let storableTimes: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// Why the exposure cannot be stored as it is; `nil` if it can.
    var fault: String? {
        for (name, text) in [
            ("unit", unit), ("experiment", experiment), ("variant", variant), ("id", id), ("attributes", attributes),
        ] where text?.utf8.contains(0) == true {
            return "its \(name) holds U+0000; leave that character out"
        }
        guard Self.storableTimes.contains(at) else {
            return "its time, \(at), is outside the years 0 to 9999; give milliseconds since 1970"
        }
        return nil
    }
}
