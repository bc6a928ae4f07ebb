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
        func digits(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            var value = 0
            for index in range {
                let digit = bytes[index] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                value = value * 10 + Int(digit)
            }
            return value
        }
        func hasByte(_ byte: UInt8, at index: Int) -> Bool { index < bytes.count && bytes[index] == byte }
        guard let year = digits(0..<4), hasByte(UInt8(ascii: "-"), at: 4), let month = digits(5..<7),
            hasByte(UInt8(ascii: "-"), at: 7), let day = digits(8..<10),
            hasByte(UInt8(ascii: "T"), at: 10) || hasByte(UInt8(ascii: "t"), at: 10),
            let hour = digits(11..<13), hasByte(UInt8(ascii: ":"), at: 13), let minute = digits(14..<16),
            hasByte(UInt8(ascii: ":"), at: 16), let second = digits(17..<19),
            let date = CalendarDate(year: year, month: month, day: day), hour < 24, minute < 60, second <= 60
        else { return nil }

        var index = 19
        var nanoseconds: Int32 = 0
        if hasByte(UInt8(ascii: "."), at: index) {
            index += 1
            let start = index
            var unit: Int32 = 100_000_000
            while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 {
                nanoseconds += Int32(bytes[index] - UInt8(ascii: "0")) * unit
                unit /= 10
                index += 1
            }
            guard index > start else { return nil }
        }

        var offset = 0
        if hasByte(UInt8(ascii: "Z"), at: index) || hasByte(UInt8(ascii: "z"), at: index) {
            index += 1
        } else {
            guard hasByte(UInt8(ascii: "+"), at: index) || hasByte(UInt8(ascii: "-"), at: index),
                let hours = digits(index + 1..<index + 3), hasByte(UInt8(ascii: ":"), at: index + 3),
                let minutes = digits(index + 4..<index + 6), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * 60 * (bytes[index] == UInt8(ascii: "-") ? -1 : 1)
            index += 6
        }
        guard index == bytes.count else { return nil }
        let ofDay = (hour * 60 + minute) * 60 + second - offset
        self.init(seconds: Int64(date.daysSince1970 * 86_400 + ofDay), nanoseconds: nanoseconds)
    }
}
