/// A version by Semantic Versioning 2.0 (semver.org), as the places of its parts in a byte string. In addition to the
/// standard, a leading "v" and missing minor and patch numbers are allowed, and up to three further numbers, which are
/// compared after the patch number. Build metadata is checked and ignored.
package struct Version: Sendable {
    package static let maximumNumberCount = 6

    /// Major, minor and patch digits and what follows; a missing part is empty and counts as 0.
    private var numbers = InlineArray<6, Part>(repeating: Part(start: 0, end: 0))
    private var preRelease = Part(start: 0, end: 0)
    package private(set) var numberCount = 0

    /// A place in a text of less than 2 GB.
    private struct Part: Sendable {
        private let lower: Int32
        private let upper: Int32

        @inline(__always) init(start: Int, end: Int) {
            lower = Int32(truncatingIfNeeded: start)
            upper = Int32(truncatingIfNeeded: end)
        }

        @inline(__always) var start: Int { Int(lower) }
        @inline(__always) var end: Int { Int(upper) }
        @inline(__always) var isEmpty: Bool { lower == upper }
    }

    package static let zero = Version()

    private init() {}

    /// Finds the parts of a version. Returns `nil` if the text is not a version. Never allocates.
    package init?(_ text: Span<UInt8>) {
        guard text.count <= Int32.max else { return nil }
        var index = 0
        if index < text.count, text[index] == UInt8(ascii: "v") { index += 1 }
        var count = 0
        while true {
            let start = index
            while index < text.count, Self.isDigit(text[index]) { index += 1 }
            guard Self.isNumber(text, start, index) else { return nil }
            numbers[count] = Part(start: start, end: index)
            count += 1
            guard count < Self.maximumNumberCount, index < text.count, text[index] == UInt8(ascii: ".") else { break }
            index += 1
        }
        numberCount = count
        if index < text.count, text[index] == UInt8(ascii: "-") {
            let start = index + 1
            guard let end = Self.identifiersEnd(text, start, numbersAreStrict: true) else { return nil }
            preRelease = Part(start: start, end: end)
            index = end
        }
        if index < text.count, text[index] == UInt8(ascii: "+") {
            guard let end = Self.identifiersEnd(text, index + 1, numbersAreStrict: false) else { return nil }
            index = end
        }
        guard index == text.count else { return nil }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// Digits without a leading zero.
    private static func isNumber(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
        end > start && (end == start + 1 || text[start] != UInt8(ascii: "0"))
    }

    /// The end of dot-separated identifiers `[0-9A-Za-z-]+`. Returns `nil` if one is empty, or a number with a leading
    /// zero where those are not allowed.
    private static func identifiersEnd(_ text: Span<UInt8>, _ from: Int, numbersAreStrict: Bool) -> Int? {
        var index = from
        while true {
            let start = index
            var isNumeric = true
            while index < text.count {
                let byte = text[index]
                let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "-")
                guard isLetter || isDigit(byte) else { break }
                if isLetter { isNumeric = false }
                index += 1
            }
            guard index > start, !(numbersAreStrict && isNumeric && !isNumber(text, start, index)) else { return nil }
            guard index < text.count, text[index] == UInt8(ascii: ".") else { return index }
            index += 1
        }
    }

    /// The precedence of a version relative to another, as -1, 0 or 1 (Semantic Versioning 2.0, section 11, with all
    /// numbers in place of three).
    package static func compare(_ left: Version, in text: Span<UInt8>, _ right: Version, in other: Span<UInt8>) -> Int {
        for index in 0..<max(left.numberCount, right.numberCount) {
            let order = compareNumbers(text, left.numbers[index], other, right.numbers[index])
            if order != 0 { return order }
        }
        switch (left.preRelease.isEmpty, right.preRelease.isEmpty) {
        case (true, true): return 0
        case (true, false): return 1
        case (false, true): return -1
        case (false, false): return comparePreReleases(text, left.preRelease, other, right.preRelease)
        }
    }

    /// Compares digits. They have no leading zeros, so the longer number is the greater, and no integer can overflow.
    private static func compareNumbers(_ text: Span<UInt8>, _ left: Part, _ other: Span<UInt8>, _ right: Part) -> Int {
        let leftIsZero = left.isEmpty || (left.end - left.start == 1 && text[left.start] == UInt8(ascii: "0"))
        let rightIsZero = right.isEmpty || (right.end - right.start == 1 && other[right.start] == UInt8(ascii: "0"))
        if leftIsZero || rightIsZero { return leftIsZero ? (rightIsZero ? 0 : -1) : 1 }
        let difference = (left.end - left.start) - (right.end - right.start)
        return difference != 0 ? difference.signum() : compareBytes(text, left, other, right)
    }

    private static func compareBytes(_ text: Span<UInt8>, _ left: Part, _ other: Span<UInt8>, _ right: Part) -> Int {
        var (i, j) = (left.start, right.start)
        while i < left.end, j < right.end {
            if text[i] != other[j] { return text[i] < other[j] ? -1 : 1 }
            i += 1
            j += 1
        }
        return (left.end - i) == (right.end - j) ? 0 : (i == left.end ? -1 : 1)
    }

    private static func comparePreReleases(
        _ text: Span<UInt8>, _ left: Part, _ other: Span<UInt8>, _ right: Part
    ) -> Int {
        var (i, j) = (left.start, right.start)
        while true {
            let first = identifier(text, i, left.end)
            let second = identifier(other, j, right.end)
            let order: Int
            switch (first.isNumeric, second.isNumeric) {
            case (true, true): order = compareNumbers(text, first.part, other, second.part)
            case (true, false): order = -1
            case (false, true): order = 1
            case (false, false): order = compareBytes(text, first.part, other, second.part)
            }
            if order != 0 { return order }
            (i, j) = (first.part.end + 1, second.part.end + 1)
            if i > left.end || j > right.end { return i > left.end ? (j > right.end ? 0 : -1) : 1 }
        }
    }

    private static func identifier(_ text: Span<UInt8>, _ start: Int, _ end: Int) -> (part: Part, isNumeric: Bool) {
        var index = start
        var isNumeric = true
        while index < end, text[index] != UInt8(ascii: ".") {
            if !isDigit(text[index]) { isNumeric = false }
            index += 1
        }
        return (Part(start: start, end: index), isNumeric)
    }
}
