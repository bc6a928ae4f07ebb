// The form is RFC 3339 with an offset, and what databases and Allot itself write instead of it: a space for the "T",
// no seconds, and PostgreSQL's short offset `+00`.
extension Instant {
    package static let form =
        "an instant is RFC 3339 with an offset, such as 2026-11-21T12:00:00Z or 2026-11-21T13:00:00+01:00"

    /// The fault of a text that is not an instant, and the fix.
    package static func fault(of text: String) -> String {
        guard Instant(utf8: ContiguousArray(text.utf8).span) == nil else {
            return "is not within the years 0 to 9999 in UTC; choose an instant within them"
        }
        func completed(_ parts: String...) -> Instant? { Instant(parts.joined()) }
        if let inUTC = completed(text, "Z") {
            return
                "has no offset from UTC; if it is in UTC, write \(inUTC), or else end it with its offset, such as "
                + "+01:00"
        }
        if let midnight = completed(text, "T00:00Z") {
            return "is a day without a time; for its start in UTC write \(midnight)"
        }
        // `2026-11-21 12:00:00 UTC`, `2026-11-21 12:00:00 +0000`
        let parts = text.split(separator: " ")
        let zone = parts.last.map(String.init) ?? ""
        let start = parts.dropLast().joined(separator: " ")
        let isNamed = ["utc", "gmt", "z"].contains(zone.lowercased())
        if let other = completed(start, isNamed ? "Z" : zone) ?? completed(start, zone.dividedOffset)
            ?? completed(text.dividedOffset)
        {
            return "has its offset in another form; write \(other)"
        }
        return faultOfOtherNotation(text) ?? "is not an instant; \(form)"
    }

    /// Reads an RFC 3339 instant with an offset: `2026-11-21T12:00:00.5+01:00`.
    ///
    /// A space may stand for the "T", "t" and "z" may be lower case, the seconds may be left out, and so may the
    /// minutes of the offset: `2026-11-21 12:00+01`. Digits beyond nanoseconds are cut off. Returns `nil` for any other
    /// text, and if the offset leads out of the years 0 to 9999, because such an instant cannot be written in UTC.
    public init?(_ text: String) {
        // An `Array` has spans since iOS 26 and macOS 26 only.
        self.init(utf8: ContiguousArray(text.utf8).span)
        guard Self.writable.contains(self) else { return nil }
    }

    /// Reads an instant from UTF-8 bytes as ``init(_:)`` does, without allocation. Returns `nil` for any other text.
    /// The offset may lead out of the years 0 to 9999: attributes are compared only, and databases compare them too.
    package init?(utf8 bytes: Span<UInt8>) {
        // Everything up to the minutes has its place, and at least a "Z" follows.
        guard bytes.count >= 17 else { return nil }
        var isValid =
            bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-") && bytes[13] == UInt8(ascii: ":")
            && (bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "))
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
        let (hour, minute) = (number(11), number(14))
        var index = 16
        var second = 0
        var nanoseconds: Int32 = 0
        if bytes[index] == UInt8(ascii: ":") {
            guard bytes.count >= 20 else { return nil }
            second = number(17)
            index = 19
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
        }
        guard isValid, hour < 24, minute < 60, second <= 60,
            let date = CalendarDate(year: year, month: month, day: day)
        else { return nil }

        // In minutes.
        var offset = 0
        let sign = bytes[index]
        if sign | 0x20 == UInt8(ascii: "z") {
            guard bytes.count == index + 1 else { return nil }
        } else {
            let isShort = bytes.count == index + 3
            guard isShort || (bytes.count == index + 6 && bytes[index + 3] == UInt8(ascii: ":")),
                sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
            else { return nil }
            let (hours, minutes) = (number(index + 1), isShort ? 0 : number(index + 4))
            guard isValid, hours < 24, minutes < 60 else { return nil }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
        }
        let ofDay = (hour * 60 + minute - offset) * 60 + second
        self.init(
            seconds: Int64(date.daysSince1970) * 86_400 + Int64(ofDay), nanoseconds: nanoseconds, offset: Int16(offset))
    }
}

extension String {
    /// The text with a colon before its last two characters, as in an offset: `+01:00` for `+0100`.
    fileprivate var dividedOffset: String { "\(dropLast(2)):\(suffix(2))" }
}
