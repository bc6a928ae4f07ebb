import AllotConfiguration

/// An experiment of a ``RandomFolder`` in the making.
struct RandomExperiment {
    let key: String
    let status: String
    /// `none` if it randomises nothing.
    let unit: String
    /// The keys of the variants.
    let variants: [String]
    var salt: String?
    var layer: String?
    var slots: [Range<Int>] = []
    var starts: String?
    var ends: String?
    var audience = JSONObject()
    /// By experiment the variants that are required; none for units without a variant.
    var requirements: [String: [String]] = [:]
    /// How many experiments are required in a row.
    var depth = 0
    /// The setting that the variants override, and the other experiment that overrides it.
    var setting = ""
    var sharedWith: String?
    var forced = JSONObject()

    private let isUnitWritten: Bool
    private let winner: String?
    private let traffic: JSONValue?
    /// What each variant gets, as `weight` or `buckets`.
    private let shares: [(name: String, value: JSONValue)]
    private let notation: [Bool]

    private static let variantPool = ["control", "green", "B", "v.1", "0", "Large-Green_2", "off", "NULL"]
    private static let trafficPool = ["0%", "0.0001%", "25%", "33.3333%", "50.5%", "87.65%", "99.9999%", "100%"]
    private static let weightPool = ["1", "2", "0.5", "0", "0.333333", "33.3", "1e2", "7", "0.000001", "1000000"]
    /// Instants shortly before, at and after that of the evaluation.
    private static let pastPool = [
        "2026-06-01T00:00:00Z", "2026-06-01T02:00:00+02:00", "2026-05-31T23:59:59.999999999Z",
        "2025-01-01T00:00:00-05:00",
    ]
    private static let futurePool = [
        "2026-06-01T00:00:00.000000001Z", "2026-06-01T00:00:01Z", "2026-05-31T23:00:00.5-02:00", "2030-01-01T00:00:00Z",
    ]

    init(key: String, _ dice: inout Dice) {
        self.key = key
        status = dice.chance(0.62) ? "running" : dice.pick(["draft", "paused", "concluded", "concluded", "running"])
        let draws = dice.chance(0.85)
        unit = !draws ? "none" : dice.chance(0.6) ? "user_id" : dice.pick(["org_id", "Device Id"])
        isUnitWritten = unit != "user_id" || dice.chance(0.2)
        variants = dice.pick(draws ? dice.number(1...4) : 1, of: Self.variantPool)
        winner = status == "concluded" && dice.chance(0.65) ? dice.pick(variants) : nil
        traffic =
            !draws
            ? nil
            : dice.chance(0.35) ? .string(dice.pick(Self.trafficPool)) : dice.chance(0.35) ? Self.steps(&dice) : nil
        shares =
            !draws ? [] : dice.chance(0.35) ? Self.buckets(variants.count, &dice) : Self.weights(variants.count, &dice)
        notation = (0..<4).map { _ in dice.chance(0.5) }
        guard dice.chance(0.35) else { return }
        switch dice.number(0...6) {
        case 0: starts = dice.pick(Self.futurePool)
        case 1: ends = dice.pick(Self.pastPool)
        case 2: ends = dice.pick(Self.futurePool)
        case 3: (starts, ends) = (dice.pick(Self.pastPool), dice.pick(Self.futurePool))
        default: starts = dice.pick(Self.pastPool)
        }
    }

    /// Whether it draws anything.
    var draws: Bool { unit != "none" }

    /// Whether slots and schedule hold it back.
    var isTimed: Bool { status == "running" || status == "draft" }

    /// One to four steps around the instant of the evaluation, which rise and fall.
    private static func steps(_ dice: inout Dice) -> JSONValue {
        let instants = [
            "1999-12-31T23:59:59Z", "2026-05-31T23:59:59.999999999Z", "2026-06-01T02:00:00+02:00",
            "2026-06-01T00:00:00.000000001Z", "2101-01-01T00:00:00Z",
        ]
        // A step that an end puts out of reach is an error if it is the first.
        let chosen = instants.enumerated().filter { index, _ in index == 0 || dice.chance(0.5) }
        return .array(
            chosen.map { ["from": .string($0.element), "share": .string(dice.pick(trafficPool))] })
    }

    private static func weights(_ count: Int, _ dice: inout Dice) -> [(name: String, value: JSONValue)] {
        if dice.chance(0.3) { return [] }
        var weights = (0..<count).map { _ in dice.pick(weightPool) }
        if weights.allSatisfy({ $0 == "0" }) { weights[0] = "1" }
        return weights.map { ("weight", JSONNumber($0).map(JSONValue.number) ?? 1) }
    }

    /// Ranges with holes between them, in both notations.
    private static func buckets(_ count: Int, _ dice: inout Dice) -> [(name: String, value: JSONValue)] {
        let cuts = (0..<2 * dice.number(count...count + 4)).map { _ in
            dice.chance(0.5) ? dice.number(0...100) * 10_000 : dice.number(0...1_000_000)
        }.sorted()
        var owned = Array(repeating: [JSONValue](), count: count)
        var start = dice.chance(0.5) ? 0 : cuts[0]
        for end in cuts where start < end {
            // A hole now and then.
            if dice.chance(0.75) {
                owned[dice.number(0...count - 1)].append(range(start..<end, inPercent: dice.chance(0.5)))
            }
            start = end
        }
        if owned.allSatisfy(\.isEmpty) { owned[0] = ["0..<123457"] }
        return owned.map { ("buckets", .array($0)) }
    }

    static func range(_ range: Range<Int>, inPercent: Bool) -> JSONValue {
        inPercent
            ? .string("\(percent(range.lowerBound))..<\(percent(range.upperBound))")
            : .string("\(range.lowerBound)..<\(range.upperBound)")
    }

    private static func percent(_ buckets: Int) -> String {
        let decimals = String(String(10_000 + buckets % 10_000).dropFirst())
        return "\(buckets / 10_000)" + (decimals == "0000" ? "" : "." + decimals) + "%"
    }

    /// The file.
    var json: JSONValue {
        var object: JSONObject = ["status": .string(status)]
        if isUnitWritten { object["unit"] = .string(unit) }
        if let salt { object["salt"] = .string(salt) }
        if let winner { object["winner"] = .string(winner) }
        if let traffic { object["traffic"] = traffic }
        if let starts { object["starts"] = .string(starts) }
        if let ends { object["ends"] = .string(ends) }
        if let layer {
            object["layer"] = .string(layer)
            object["slots"] = .array(zip(slots, notation).map { Self.range($0, inPercent: $1) })
        }
        if !audience.members.isEmpty { object["audience"] = .object(audience) }
        if !requirements.isEmpty {
            object["requires"] = .object(
                JSONObject(
                    requirements.map { experiment, variants in
                        (key: experiment, value: variants.isEmpty ? "none" : .array(variants.map(JSONValue.string)))
                    }))
        }
        if !forced.members.isEmpty { object["forced"] = .object(forced) }
        object["variants"] = .array(
            variants.enumerated().map { index, key in
                var variant: JSONObject = ["key": .string(key)]
                if index < shares.count { variant[shares[index].name] = shares[index].value }
                if index > 0 || variants.count == 1 {
                    variant["overrides"] = ["Page": .object([setting: .number(JSONNumber(index + 1))])]
                }
                return .object(variant)
            })
        return .object(object)
    }
}
