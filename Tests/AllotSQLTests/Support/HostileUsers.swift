import AllotConfiguration
import TestSupport

/// Users whose texts engines could read in different ways, as a table for engines and as CSV for Allot.
///
/// The columns are always the same. Some rows have no unit ID, some an invalid one, and many IDs stand in many rows.
struct HostileUsers {
    static let columns = units + texts + numbers + booleans + versions + instants + addresses

    /// The attributes that hold unit IDs.
    static let units = ["user_id", "org_id", "Device Id"]
    /// The attributes that conditions look at, by what their texts mostly are.
    static let texts = ["country", "email", "plan", "weird name", "it's \"odd\""]
    static let numbers = ["age", "score"]
    static let booleans = ["premium"]
    static let versions = ["app_version"]
    static let instants = ["signed_up"]
    static let addresses = ["ip"]

    /// Each user's texts; `nil` is NULL to an engine, and an empty field in CSV as an empty text is.
    let rows: [[String?]]

    /// Rows of their own, each with a value for every column.
    init(rows: [[String?]]) {
        self.rows = rows
    }

    init(seed: Int, count: Int) {
        var dice = SeededGenerator(seed: seed)
        rows = (0..<count).map { number in Self.columns.map { Self.value($0, row: number, &dice) } }
    }

    /// The unit IDs of an attribute that many rows have, for definitions that force them.
    static func frequentUnits(_ attribute: String) -> [String] {
        HostileTexts.units.filter { (1...1024).contains($0.utf8.count) }
            + (0..<40).map { ordinaryUnit(attribute, $0) }
    }

    /// An ID as most systems have them.
    private static func ordinaryUnit(_ attribute: String, _ number: Int) -> String {
        switch attribute {
        case "org_id": "org-\(number)"
        case "Device Id": "4D1E-\(String(number &* 2_654_435_761, radix: 16, uppercase: true))"
        default: "user-\(number)"
        }
    }

    private static func value(_ column: String, row: Int, _ dice: inout SeededGenerator) -> String? {
        if dice.chance(0.08) { return dice.chance(0.5) ? nil : "" }
        if units.contains(column) { return unit(column, row: row, &dice) }
        // What belongs elsewhere stands everywhere now and then.
        if dice.chance(0.05) { return dice.pick(dice.pick(pools)) }
        return switch column {
        case "country":
            dice.chance(0.7) ? dice.pick(["DE", "FR", "US", "de", "us", "İ", "GB"]) : dice.pick(HostileTexts.texts)
        case "plan": dice.chance(0.7) ? dice.pick(["free", "plus", "team", "business"]) : dice.pick(HostileTexts.texts)
        case "age": dice.chance(0.5) ? "\(dice.number(0...99))" : dice.pick(HostileTexts.numbers)
        case "score": dice.chance(0.4) ? score(&dice) : dice.pick(HostileTexts.numbers)
        case "premium": dice.pick(HostileTexts.booleans)
        case "app_version": dice.chance(0.3) ? version(&dice) : dice.pick(HostileTexts.versions)
        case "signed_up": dice.chance(0.3) ? instant(&dice) : dice.pick(HostileTexts.instants)
        case "ip": dice.chance(0.4) ? address(&dice) : dice.pick(HostileTexts.addresses)
        default: dice.pick(HostileTexts.texts)
        }
    }

    private static let pools = [
        HostileTexts.numbers, HostileTexts.booleans, HostileTexts.versions, HostileTexts.instants, HostileTexts.texts,
        HostileTexts.addresses,
    ]

    /// An address of many spellings, and now and then too many groups.
    static func address(_ dice: inout SeededGenerator) -> String {
        func dotted() -> String {
            (0..<4).map { _ in "\(dice.pick([0, 1, 9, 10, 11, 99, 100, 127, 128, 192, 200, 255]))" }.joined(
                separator: ".")
        }
        if dice.chance(0.4) { return dotted() }
        let before = dice.number(0...7)
        let gap = dice.chance(0.7)
        let after = gap ? dice.number(0...max(0, 7 - before)) : 8 - before
        func groups(_ count: Int) -> [String] {
            (0..<count).map { _ in dice.pick(["0", "1", "ffff", "FFFF", "db8", "0DB8", "2001", "00", "a", "fe80"]) }
        }
        var end = groups(after)
        if end.count >= 2, dice.chance(0.3) { end = end.dropLast(2) + [dotted()] }
        let start = dice.chance(0.2) ? Array(repeating: "0", count: before) : groups(before)
        return start.joined(separator: ":") + (gap ? "::" : before == 0 ? "" : ":") + end.joined(separator: ":")
    }

    private static func unit(_ column: String, row: Int, _ dice: inout SeededGenerator) -> String {
        if dice.chance(0.4) { return dice.pick(HostileTexts.units) }
        let isShared = column == "org_id" || dice.chance(0.2)
        return ordinaryUnit(column, isShared ? dice.number(0...60) : row)
    }

    private static func score(_ dice: inout SeededGenerator) -> String {
        let sign = dice.chance(0.3) ? "-" : ""
        let exponent = dice.chance(0.3) ? dice.pick(["e", "E", "e+", "e-"]) + "\(dice.number(0...30))" : ""
        return "\(sign)\(dice.number(0...200)).\(dice.number(0...999))\(exponent)"
    }

    private static func version(_ dice: inout SeededGenerator) -> String {
        let numbers = (0..<dice.number(1...3)).map { _ in "\(dice.number(0...3))" }.joined(separator: ".")
        let identifiers = (0..<dice.number(0...3)).map { _ in
            dice.pick(["0", "1", "9", "10", "a", "rc", "A", "-", "1a", "a-1"])
        }
        let preRelease = identifiers.isEmpty ? "" : "-" + identifiers.joined(separator: ".")
        return (dice.chance(0.3) ? "v" : "") + numbers + preRelease + (dice.chance(0.2) ? "+b.01" : "")
    }

    private static func instant(_ dice: inout SeededGenerator) -> String {
        func two(_ range: ClosedRange<Int>) -> String {
            let number = dice.number(range)
            return number < 10 ? "0\(number)" : "\(number)"
        }
        let day = "\(dice.pick(["2024", "2025", "2026", "2026", "1999"]))-\(two(1...12))-\(two(1...29))"
        let fraction =
            dice.chance(0.4) ? "." + (0..<dice.number(1...12)).map { _ in "\(dice.number(0...9))" }.joined() : ""
        let offset = dice.pick(["Z", "z", "+00:00", "+02:00", "-11:30", "+14:00"])
        return "\(day)T\(two(0...23)):\(two(0...59)):\(two(0...60))\(fraction)\(offset)"
    }
}

// MARK: Files

extension HostileUsers {
    /// JSON lines for engines, with NULL as null and the columns in their order.
    var jsonLines: String {
        rows.map { row in
            let members = zip(Self.columns, row).map { "\(Self.json($0)):\($1.map(Self.json) ?? "null")" }
            return "{" + members.joined(separator: ",") + "}\n"
        }.joined()
    }

    private static func json(_ text: String) -> String {
        JSONValue.string(text).canonicalText
    }

    /// CSV for `allot assign`.
    var csv: String {
        ([Self.columns] + rows.map { $0.map { $0 ?? "" } }).map { row in
            row.map(Self.field).joined(separator: ",") + "\n"
        }.joined()
    }

    private static func field(_ text: String) -> String {
        let needsQuotes = text.utf8.contains { byte in
            byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",")
        }
        guard needsQuotes else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
