import AllotConfiguration
import AllotCore

/// Comparisons with a version as GrowthBook makes them, as patterns.
///
/// GrowthBook compares versions as text: it removes a "v" at the start and build metadata, splits the rest at "-" and
/// ".", pads numbers to five characters with spaces, adds "~" to exactly three parts, and joins the parts with "-".
/// So `2.0` comes before `2.0.0`, and text that is not a version comes after all of them. Which texts come after a
/// given one can be said by a regular expression.
///
/// Build metadata are a "+" and all that follows, if that is on one line; a line feed at the very end of a text stays.
struct GrowthBookVersion {
    private static let dash = UInt8(ascii: "-")
    private static let space = UInt8(ascii: " ")
    /// Any text, with line feeds too.
    private static let any = "(?s:.*)"
    private static let build = #"\+[^\n]*"#
    private static let end = "(?:\(build))?$"
    private static let partEnd = "(?:[-.]\(any)|\(build))?$"

    private let parts: [[UInt8]]

    /// Returns `nil` for a literal with line feeds or characters beyond ASCII.
    init?(_ literal: String) {
        guard literal.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\n") }) else { return nil }
        parts = Self.parts(of: literal)
    }

    static func parts(of text: String) -> [[UInt8]] {
        var bytes = Array((text.isEmpty ? "0" : text).utf8)[...]
        if bytes.first == UInt8(ascii: "v") { bytes = bytes.dropFirst() }
        let ending = bytes.last == UInt8(ascii: "\n") ? bytes.suffix(1) : []
        let lastLine = bytes.dropLast(ending.count).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.startIndex
        if let plus = bytes[lastLine...].firstIndex(of: UInt8(ascii: "+")) { bytes = bytes[..<plus] + ending }
        let split = bytes.split(omittingEmptySubsequences: false) { $0 == dash || $0 == UInt8(ascii: ".") }
        let parts = split.map { part in
            isNumber(part) ? Array(repeating: space, count: max(0, 5 - part.count)) + part : Array(part)
        }
        return parts.count == 3 ? parts + [[UInt8(ascii: "~")]] : parts
    }

    /// The operator and the version by which Allot compares as GrowthBook does with a literal of up to three numbers of
    /// at most five digits, wherever the other version has three numbers too.
    ///
    /// All versions of three numbers that begin with the literal's one or two come after it, their pre-releases too.
    ///
    /// - Returns: `nil` for other literals, of which the order is not that of versions.
    static func short(_ name: String, _ literal: String) -> (name: String, version: String)? {
        guard Version(Array(literal.utf8).span) != nil else { return nil }
        let text = literal.prefix { $0 != "+" }.drop { $0 == "v" }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= (numbers.count == 3 ? 2 : 1), numbers.count <= 3,
            numbers.allSatisfy({ $0.utf8.count <= 5 && ($0 == "0" || !$0.hasPrefix("0")) }),
            // Numbers of a pre-release are padded as well.
            parts.dropFirst().joined().split(separator: ".").allSatisfy({ part in
                part.utf8.first.map { !$0.isDigit } ?? false || part.utf8.count <= 4 && part.utf8.allSatisfy(\.isDigit)
            })
        else { return nil }
        if numbers.count == 3 { return (name, literal) }
        let first = (numbers + ["0", "0"]).prefix(3).joined(separator: ".") + "-0"
        switch name {
        case "$vgt", "$vgte": return ("$vgte", first)
        case "$vlt", "$vlte": return ("$vlt", first)
        default: return nil
        }
    }

    private static func isNumber(_ part: some Collection<UInt8>) -> Bool {
        !part.isEmpty && part.allSatisfy(\.isDigit)
    }

    /// Whether a text comes after the literal (1), before it (-1), or is the same version (0).
    func order(of text: String) -> Int {
        let (left, right) = (Self.joined(Self.parts(of: text)), Self.joined(parts))
        return left == right ? 0 : right.lexicographicallyPrecedes(left) ? 1 : -1
    }

    private static func joined(_ parts: [[UInt8]]) -> [UInt8] {
        Array(parts.joined(separator: [dash]))
    }

    // MARK: Conditions

    func isAfter(_ test: (JSONObject) -> JSONValue) -> JSONValue {
        condition(Self.anyOf(after(0)), holdsForEmpty: order(of: "") > 0, test)
    }

    func isSame(_ test: (JSONObject) -> JSONValue) -> JSONValue {
        condition(same, holdsForEmpty: order(of: "") == 0, test)
    }

    /// A pattern of what follows a "v" at the start, if there is one, as a condition.
    private func condition(_ body: String, holdsForEmpty: Bool, _ test: (JSONObject) -> JSONValue) -> JSONValue {
        .any([
            test(["$regex": .string("^v\(body)")]),
            .all([
                test(["$regex": .string("^\(body)")]),
                .not(test(["$startsWith": "v"])), .not(test(["$eq": ""])),
            ]),
            holdsForEmpty ? test(["$eq": ""]) : .never,
        ])
    }

    private var same: String {
        var pattern = ""
        for (index, part) in parts.enumerated() {
            let texts = Self.anyOf(Self.texts(of: part))
            // GrowthBook adds the "~" itself to three parts.
            let isAdded = index == 3 && parts.count == 4 && part == [UInt8(ascii: "~")]
            pattern += isAdded ? "(?:[-.]\(texts))?" : (index > 0 ? "[-.]" : "") + texts
        }
        return pattern + Self.end
    }

    /// Patterns of the text after the literal's parts that begin at `index`.
    private func after(_ index: Int) -> [String] {
        let part = parts[index]
        let isLast = index + 1 == parts.count
        var patterns = Self.greaterTexts(than: part) + Self.greaterNumbers(than: part)
        patterns += Self.longerTexts(than: part, beforeDash: !isLast)
        patterns += Self.shorterTexts(than: part)
        let equal = Self.anyOf(Self.texts(of: part))
        let added: [[UInt8]] = index == 2 ? [[UInt8(ascii: "~")]] : []
        if Self.joined(parts).lexicographicallyPrecedes(Self.joined(parts[...index] + added)) {
            patterns.append(equal + Self.end)
        }
        return patterns + ["\(equal)[-.]" + (isLast ? Self.any : Self.anyOf(after(index + 1)))]
    }

    // MARK: Patterns of one part

    private static func texts(of part: [UInt8]) -> [String] {
        let number = part.drop { $0 == space }
        let isPadded = part.count == 5 && number.count < 5 && isNumber(number)
        let isText = !isNumber(part) || part.count >= 5
        return (isText ? [quoted(part)] : []) + (isPadded ? [quoted(number)] : [])
    }

    /// Parts that are compared as they are, and that have a greater character than `part` somewhere.
    private static func greaterTexts(than part: [UInt8]) -> [String] {
        part.indices.flatMap { unpadded(after: part[..<$0], above: part[$0]) }
    }

    /// Parts that are compared as they are, begin with `part` and are longer.
    ///
    /// - Parameter beforeDash: Whether the literal goes on with "-", which the next character then has to exceed.
    private static func longerTexts(than part: [UInt8], beforeDash: Bool) -> [String] {
        var patterns = unpadded(after: part[...], above: beforeDash ? dash : nil)
        for count in 1...4 where part.count < 5 {
            guard let digits = digits(of: part[...], padding: 5 - count) else { continue }
            if part.count < 5 - count {
                if !beforeDash { patterns.append("[0-9]{\(count)}\(partEnd)") }
            } else {
                patterns.append("\(quoted(digits))[0-9]{\(count - digits.count)}\(partEnd)")
            }
        }
        return patterns
    }

    /// Parts with which `part` begins, and after which the "-" exceeds the rest of `part`.
    private static func shorterTexts(than part: [UInt8]) -> [String] {
        part.indices.filter { part[$0] < dash }.flatMap { texts(of: Array(part[..<$0])) }.map { "\($0)[-.]\(any)" }
    }

    /// Padded numbers that have a greater character than `part` somewhere.
    private static func greaterNumbers(than part: [UInt8]) -> [String] {
        var patterns: [String] = []
        for count in 1...4 {
            for index in part.indices.prefix(5) {
                guard let digits = digits(of: part[..<index], padding: 5 - count) else { break }
                if index < 5 - count {
                    if space > part[index] { patterns.append("[0-9]{\(count)}\(partEnd)") }
                } else if let greater = set(above: part[index], from: "0", to: "9") {
                    patterns.append("\(quoted(digits))\(greater)[0-9]{\(count - digits.count - 1)}\(partEnd)")
                }
            }
        }
        return patterns
    }

    /// The digits that a padded number begins with if its first characters are `start`. Returns `nil` if it cannot
    /// begin so.
    private static func digits(of start: ArraySlice<UInt8>, padding: Int) -> ArraySlice<UInt8>? {
        let digits = start.dropFirst(padding)
        guard start.prefix(padding).allSatisfy({ $0 == space }), digits.allSatisfy(\.isDigit) else { return nil }
        return digits
    }

    /// Parts that begin with `start` and a character above `bound` (any, if that is `nil`), and are compared as they
    /// are: they have a character that is not a digit, or five digits.
    private static func unpadded(after start: ArraySlice<UInt8>, above bound: UInt8?) -> [String] {
        let others = otherThanDigits(above: bound)
        let digits = bound.map { set(above: $0, from: "0", to: "9") } ?? "[0-9]"
        guard start.allSatisfy(\.isDigit) else {
            return [quoted(start) + others + any] + (digits.map { [quoted(start) + $0 + any] } ?? [])
        }
        var patterns = [quoted(start) + others + any]
        if let digits {
            let missing = max(0, 4 - start.count)
            patterns.append(
                "\(quoted(start))\(digits)(?:[0-9]*\(otherThanDigits(above: nil))\(any)|[0-9]{\(missing),}\(partEnd))")
        }
        return patterns
    }

    // MARK: Characters

    /// The characters of parts above a bound, without digits. A "+" is one only where no build metadata begin.
    private static func otherThanDigits(above bound: UInt8?) -> String {
        let least = bound.map { UInt32($0) + 1 } ?? 0
        // Between "+", "-", ".", and the digits.
        let ranges: [ClosedRange<UInt32>] = [0...42, 44...44, 47...47, 58...0x10FFFF]
        let parts = ranges.filter { $0.upperBound >= least }.map { range in
            let from = max(range.lowerBound, least)
            return "\\x{\(String(from, radix: 16))}-\\x{\(String(range.upperBound, radix: 16))}"
        }
        let plus = least <= 43 ? [#"\+(?s:.*)\n(?s:.+)"#] : []
        // Build metadata between the bound's place and a line feed at the end go, and the line feed stays.
        let lineFeed = least <= 10 ? [#"\+[^\n]*\n$"#] : []
        return anyOf(["[\(parts.joined())]"] + plus + lineFeed)
    }

    private static func set(above bound: UInt8, from: Unicode.Scalar, to: Unicode.Scalar) -> String? {
        let least = max(UInt32(bound) + 1, from.value)
        guard least <= to.value else { return nil }
        return "[\(Character(Unicode.Scalar(UInt8(least))))-\(to)]"
    }

    private static func quoted(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { byte in
            byte.isOfPlainName || byte == space || byte == UInt8(ascii: "~")
                ? String(UnicodeScalar(byte)) : "\\x{\(String(byte, radix: 16))}"
        }.joined()
    }

    private static func anyOf(_ patterns: [String]) -> String {
        "(?:\(patterns.joined(separator: "|")))"
    }
}
