extension Instant {
    /// What an instant looks like, for messages.
    package static let form =
        "an instant is RFC 3339 with an offset, such as 2026-11-21T12:00:00Z or 2026-11-21T13:00:00+01:00"

    /// What is wrong with a text that is not read, and the fix.
    package static func fault(of text: String) -> String {
        Instant(utf8: Array(text.utf8).span) == nil
            ? "is not an instant; \(form)" : "is not within the years 0 to 9999 in UTC; choose an instant within them"
    }

    /// Reads an RFC 3339 instant with an offset. Digits beyond nanoseconds are cut off. Returns `nil` for any other
    /// text, and if the offset leads out of the years 0 to 9999, because such an instant cannot be written in UTC.
    public init?(_ text: String) {
        self.init(utf8: Array(text.utf8).span)
        guard Self.writable.contains(self) else { return nil }
    }

    /// Reads an RFC 3339 instant with an offset from UTF-8 bytes, without allocation. Returns `nil` for any other text.
    /// The offset may lead out of the years 0 to 9999: attributes are compared only, and databases compare them too.
    package init?(utf8 bytes: Span<UInt8>) {
        // Everything up to the seconds has its place, and at least a "Z" follows.
        guard bytes.count >= 20 else { return nil }
        var isValid =
            bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-") && bytes[10] | 0x20 == UInt8(ascii: "t")
            && bytes[13] == UInt8(ascii: ":") && bytes[16] == UInt8(ascii: ":")
        @inline(__always) func number(_ start: Int, count: Int = 2) -> Int {
            var value = 0
            for index in start..<start &+ count {
                let digit = bytes[index] &- UInt8(ascii: "0")
                isValid = isValid && digit < 10
                value = value &* 10 &+ Int(digit)
            }
            return value
        }
        let (year, month, day) = (number(0, count: 4), number(5), number(8))
        let (hour, minute, second) = (number(11), number(14), number(17))
        guard isValid, hour < 24, minute < 60, second <= 60,
            let date = CalendarDate(year: year, month: month, day: day)
        else { return nil }

        var index = 19
        var nanoseconds: Int32 = 0
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            let start = index
            var unit: Int32 = 100_000_000
            while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 {
                nanoseconds += Int32(bytes[index] - UInt8(ascii: "0")) * unit
                unit /= 10
                index += 1
            }
            guard index > start, index < bytes.count else { return nil }
        }

        var offset = 0
        let sign = bytes[index]
        if sign | 0x20 == UInt8(ascii: "z") {
            guard bytes.count == index + 1 else { return nil }
        } else {
            guard bytes.count == index + 6, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
                bytes[index + 3] == UInt8(ascii: ":")
            else { return nil }
            let (hours, minutes) = (number(index + 1), number(index + 4))
            guard isValid, hours < 24, minutes < 60 else { return nil }
            offset = (hours * 60 + minutes) * 60 * (sign == UInt8(ascii: "-") ? -1 : 1)
        }
        let ofDay = (hour * 60 + minute) * 60 + second - offset
        self.init(seconds: Int64(date.daysSince1970) * 86_400 + Int64(ofDay), nanoseconds: nanoseconds)
    }
}
