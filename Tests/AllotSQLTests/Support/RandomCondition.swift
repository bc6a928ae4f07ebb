import AllotConfiguration
import AllotCore
import TestSupport

/// Random audiences in the whole condition language, as far as texts in a table can answer it, with literals that the
/// users of ``HostileUsers`` often have.
struct RandomCondition {
    /// The names of segments that are conditions, and of those that are lists.
    var segments: [String] = []
    var groups: [String] = []

    /// Patterns of every kind that people write.
    static let patterns = [
        "^a", "b$", "^abc$", "a.c", "a|b", "^(foo|bar)", "[a-c]+$", "[^a-z]", "^[A-Z]{2}$", "a{2,3}", "^a{3}$",
        "^\\d+$", "\\d{2,}", "^\\w+$", "\\s", "\\bbar\\b", "(?i)free", "(?i)^de$", "foo.bar", "^.$", "^..$", "a\\nb",
        "(?s)a.b", "^$", "", ".", "\\.", "@example\\.com$", "^[^@ ]+@[^@ ]+$", "%|_", "\\\\", "'", "\"", "日",
        "^(ab)*$", "(a|ab)(c|bcd)?", "x*", "(?:foo){2}", "[A-Za-z]+1", "\\x{1F600}", "^user-[0-9]*[05]$",
        "^1\\.2\\.3(-[a-z]+)?", "\\S\\z", "\\Aa", "a?b+", "[.*]", "\\$|\\^", "(?i)strasse", "\\D", "\\W$",
        "^\\S+ \\S+$",
    ]

    private static let caseless = [
        "de", "FREE", "istanbul", "İ", "STRASSE", "straße", "K", "ſ", "ΟΔΟΣ", "привет", "É", "ǆ", "tRUE",
    ]

    /// Whether the text is a version to ``Version``, and so on: what may stand as a literal.
    private static let versions = HostileTexts.versions.filter { Version(Array($0.utf8).span) != nil }
    private static let instants = HostileTexts.instants.filter { Instant($0) != nil }
    // Larger ones are refused, as they are not exact.
    private static let numbers = HostileTexts.numbers.compactMap(JSONNumber.init).filter {
        $0.double.magnitude < 9_007_199_254_740_992
    }

    private static let types = ["string", "number", "boolean", "null"]

    /// A condition with connectives up to a depth.
    func condition(depth: Int, _ dice: inout SeededGenerator) -> JSONObject {
        guard depth > 0, dice.chance(0.6) else { return tests(dice.chance(0.75) ? 1 : dice.number(0...3), &dice) }
        let parts = (0..<dice.number(dice.chance(0.05) ? 0...0 : 1...3)).map { _ in
            JSONValue.object(condition(depth: depth - 1, &dice))
        }
        switch dice.number(0...5) {
        case 0: return ["$and": .array(parts)]
        case 1, 2: return ["$or": .array(parts)]
        case 3: return ["$nor": .array(parts)]
        case 4: return ["$not": .object(condition(depth: depth - 1, &dice))]
        default:
            var joined = tests(dice.number(1...2), &dice)
            joined["$or"] = .array(parts)
            return joined
        }
    }

    /// Tests that hold together.
    private func tests(_ count: Int, _ dice: inout SeededGenerator) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<count {
            if !segments.isEmpty, dice.chance(0.12) {
                object["$segment"] = .string(dice.pick(segments))
            } else {
                let attribute = Self.attribute(&dice)
                object[attribute] = test(of: attribute, &dice)
            }
        }
        return object
    }

    /// An attribute, of each kind often enough.
    private static func attribute(_ dice: inout SeededGenerator) -> String {
        switch dice.number(0...99) {
        case ..<12: dice.pick(HostileUsers.units)
        case ..<45: dice.pick(HostileUsers.texts)
        case ..<65: dice.pick(HostileUsers.numbers)
        case ..<73: dice.pick(HostileUsers.booleans)
        case ..<83: dice.pick(HostileUsers.versions)
        case ..<91: dice.pick(HostileUsers.addresses)
        default: dice.pick(HostileUsers.instants)
        }
    }

    /// One test of one attribute.
    func singleTest(_ dice: inout SeededGenerator) -> JSONObject {
        let attribute = Self.attribute(&dice)
        return [attribute: test(of: attribute, &dice)]
    }

    /// What stands below an attribute's name.
    private func test(of attribute: String, _ dice: inout SeededGenerator) -> JSONValue {
        if dice.chance(0.15) { return literal(for: attribute, &dice) }
        var operators = JSONObject()
        for _ in 0..<(dice.chance(0.8) ? 1 : 2) {
            let (name, literal) = operation(on: attribute, &dice)
            if dice.chance(0.12) { operators["$not"] = .object([name: literal]) } else { operators[name] = literal }
        }
        return .object(operators)
    }

    private func operation(on attribute: String, _ dice: inout SeededGenerator) -> (name: String, literal: JSONValue) {
        // Any test may be made of any attribute; mostly one is made that suits it.
        if dice.chance(0.25) { return common(attribute, &dice) }
        switch dice.chance(0.85) ? attribute : dice.pick(HostileUsers.columns) {
        case let name where HostileUsers.numbers.contains(name):
            if dice.chance(0.2) { return (instantOperator(&dice), epoch(&dice)) }
            return (dice.pick(["$gt", "$gte", "$lt", "$lte"]), number(&dice))
        case let name where HostileUsers.versions.contains(name):
            return (dice.pick(["$veq", "$vne", "$vgt", "$vgte", "$vlt", "$vlte"]), version(&dice))
        case let name where HostileUsers.instants.contains(name):
            return (instantOperator(&dice), .string(dice.pick(Self.instants)))
        case let name where HostileUsers.addresses.contains(name):
            return (dice.pick(["$inNetwork", "$notInNetwork"]), oneOrMore(&dice) { Self.network(&$0) })
        case let name where HostileUsers.booleans.contains(name):
            return (dice.pick(["$eq", "$ne"]), .boolean(dice.chance(0.5)))
        default:
            return text(attribute, &dice)
        }
    }

    private func common(_ attribute: String, _ dice: inout SeededGenerator) -> (name: String, literal: JSONValue) {
        switch dice.number(0...7) {
        case 0: return ("$eq", literal(for: attribute, &dice))
        case 1: return ("$ne", literal(for: attribute, &dice))
        case 2, 3: return (dice.pick(["$in", "$nin"]), list(for: attribute, &dice))
        case 4: return (dice.pick(["$ini", "$nini"]), list(for: attribute, &dice))
        case 5: return ("$exists", .boolean(dice.chance(0.5)))
        case 6: return ("$type", .string(dice.pick(Self.types)))
        default:
            if groups.isEmpty { return ("$exists", true) }
            return (dice.pick(["$inGroup", "$notInGroup"]), .string(dice.pick(groups)))
        }
    }

    private func text(_ attribute: String, _ dice: inout SeededGenerator) -> (name: String, literal: JSONValue) {
        switch dice.number(0...5) {
        case 0: (dice.pick(["$gt", "$gte", "$lt", "$lte"]), .string(word(attribute, &dice)))
        case 1: (dice.pick(["$regex", "$regexi"]), oneOrMore(&dice) { $0.pick(Self.patterns) })
        case 2 where dice.chance(0.2): ("$regex", .string(dice.pick(["é", "[é-ü]", "^Straße", "[^é]$"])))
        case 2: (dice.pick(["$ini", "$nini"]), .array(dice.pick(4, of: Self.caseless).map(JSONValue.string)))
        case 3:
            (
                dice.pick(["$startsWithi", "$endsWithi", "$containsi"]),
                oneOrMore(&dice) { $0.chance(0.3) ? $0.pick(Self.caseless) : fragment(attribute, &$0) }
            )
        default:
            (dice.pick(["$startsWith", "$endsWith", "$contains"]), oneOrMore(&dice) { fragment(attribute, &$0) })
        }
    }

    private func instantOperator(_ dice: inout SeededGenerator) -> String {
        dice.pick(["$before", "$after", "$onOrBefore", "$onOrAfter"])
    }

    /// An instant as what it is as a number.
    private func epoch(_ dice: inout SeededGenerator) -> JSONValue {
        [
            "instant": .string(dice.chance(0.3) ? "1970-01-01T00:00:18Z" : dice.pick(Self.instants)),
            "epoch": .string(dice.pick(["seconds", "milliseconds"])),
        ]
    }

    /// A text, or several.
    private func oneOrMore(_ dice: inout SeededGenerator, _ text: (inout SeededGenerator) -> String) -> JSONValue {
        if dice.chance(0.6) { return .string(text(&dice)) }
        return .array((0..<dice.number(1...4)).map { _ in .string(text(&dice)) })
    }

    /// A network around an address that users have.
    private static func network(_ dice: inout SeededGenerator) -> String {
        let text = dice.chance(0.5) ? HostileUsers.address(&dice) : dice.pick(HostileTexts.addresses)
        guard let address = try? IPNetwork(text) else { return dice.pick(["10.0.0.0/8", "::/0", "0.0.0.0/0"]) }
        let isIPv4 = address.address.isIPv4
        let length = dice.pick(
            isIPv4 ? [0, 1, 8, 9, 16, 24, 31, 32] : [0, 1, 16, 31, 32, 33, 64, 80, 95, 96, 97, 128])
        do {
            return try IPNetwork("\(address.address)/\(length)").description
        } catch .hostBits(let network) {
            return network.description
        } catch {
            return "::/0"
        }
    }

    // MARK: Literals

    /// A scalar of any type, mostly of the attribute's.
    private func literal(for attribute: String, _ dice: inout SeededGenerator) -> JSONValue {
        switch dice.number(0...11) {
        case 0: return .null
        case 1: return .boolean(dice.chance(0.5))
        case 2: return number(&dice)
        default:
            if HostileUsers.numbers.contains(attribute), dice.chance(0.7) { return number(&dice) }
            if HostileUsers.booleans.contains(attribute), dice.chance(0.7) { return .boolean(dice.chance(0.5)) }
            return .string(word(attribute, &dice))
        }
    }

    func list(for attribute: String, _ dice: inout SeededGenerator) -> JSONValue {
        .array((0..<dice.number(dice.chance(0.05) ? 0...0 : 1...12)).map { _ in literal(for: attribute, &dice) })
    }

    private func number(_ dice: inout SeededGenerator) -> JSONValue {
        dice.chance(0.4) ? .number(JSONNumber(dice.number(0...99))) : .number(dice.pick(Self.numbers))
    }

    private func version(_ dice: inout SeededGenerator) -> JSONValue {
        if dice.chance(0.1) { return dice.pick([1, 1.2, 2, 3.2]) }
        return .string(dice.pick(Self.versions))
    }

    /// A text that the attribute may well be.
    private func word(_ attribute: String, _ dice: inout SeededGenerator) -> String {
        if HostileUsers.units.contains(attribute) { return dice.pick(HostileUsers.frequentUnits(attribute)) }
        if dice.chance(0.4) {
            return dice.pick(["DE", "FR", "US", "free", "plus", "team", "business", "abc", "foo bar"])
        }
        if HostileUsers.numbers.contains(attribute) { return dice.pick(HostileTexts.numbers) }
        if HostileUsers.booleans.contains(attribute) { return dice.pick(HostileTexts.booleans) }
        if HostileUsers.versions.contains(attribute) { return dice.pick(HostileTexts.versions) }
        if HostileUsers.instants.contains(attribute) { return dice.pick(HostileTexts.instants) }
        if HostileUsers.addresses.contains(attribute) { return dice.pick(HostileTexts.addresses) }
        return dice.pick(HostileTexts.texts)
    }

    /// A piece of such a text, cut between scalars; now and then nothing.
    private func fragment(_ attribute: String, _ dice: inout SeededGenerator) -> String {
        let scalars = Array(word(attribute, &dice).unicodeScalars)
        guard !scalars.isEmpty, !dice.chance(0.05) else { return "" }
        let start = dice.chance(0.6) ? 0 : dice.number(0...scalars.count - 1)
        let end = dice.chance(0.3) ? scalars.count : min(scalars.count, start + dice.number(1...3))
        return String(String.UnicodeScalarView(scalars[start..<end]))
    }
}
