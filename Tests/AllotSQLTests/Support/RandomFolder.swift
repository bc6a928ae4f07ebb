import AllotConfiguration
import Foundation

/// Random definitions that use every feature and are valid: a folder of JSON files.
///
/// What one unit could hold at once may not override the same setting, so every experiment has a setting of its own;
/// those that share one are kept apart by slots, schedules, audiences or requirements.
struct RandomFolder {
    /// The instant that schedules begin and end around.
    static let instant = "2026-06-01T00:00:00Z"

    /// File names and what the files hold.
    var files: [String: JSONValue] = [:]

    private var dice: Dice
    private var layers: [Layer] = []
    private var experiments: [RandomExperiment] = []
    private var conditions = RandomCondition()
    private var salts: Set<String> = []

    /// A layer and the slots of it that are still free.
    private struct Layer {
        let name: String
        var free: [Range<Int>]
    }

    /// Keys with all that a key may hold; some differ in case only.
    private static let keyPool = [
        "checkout", "Checkout", "buy-button", "buy.button", "buy_button", "0-start", "v1.2.3", "UPPER", "select",
        "order", "a", "A--b..c__d",
        "user", "group.by", "x".padding(toLength: 64, withPad: "xY9", startingAt: 0), "Search-Ranking", "true", "null",
        "1e3", "long-key-of-an-experiment",
    ]
    private static let layerPool = ["checkout-layer", "L", "page.2", "b2b_2026"]
    private static let holdoutPool = ["h1", "H-2", "half.year", "none"]

    init(seed: Int) {
        dice = Dice(seed: seed &* 7919 &+ 17)
        makeSegments()
        makeLayers()
        let names = dice.pick(dice.number(1...8), of: Self.keyPool)
        for key in names { makeExperiment(key) }
        makeForced()
        for experiment in experiments { files[experiment.key + ".json"] = experiment.json }
        makeHoldouts()
        makeBase()
    }

    /// Definitions that are about conditions alone: each experiment has everyone for whom one test holds.
    init(testsSeed seed: Int, count: Int) {
        dice = Dice(seed: seed &* 104_729 &+ 5)
        makeSegments()
        for number in 0..<count {
            let test = conditions.singleTest(&dice)
            files["test-\(number).json"] = [
                "status": "running", "audience": .object(test), "variants": [["key": "yes"]],
            ]
        }
        makeBase()
    }

    /// Whether files differ in case only.
    var hasNamesInTwoCases: Bool { Set(files.keys.map { $0.lowercased() }).count < files.count }

    /// Writes the files into a folder, which is made.
    func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, value) in files {
            try Data(value.canonicalBytes).write(to: URL(filePath: folder + "/" + name))
        }
    }

    // MARK: Parts

    private mutating func makeSegments() {
        guard dice.chance(0.7) else { return }
        var segments = JSONObject()
        for name in ["group-a", "Group.B"] where dice.chance(0.6) {
            guard case .array(let values) = conditions.list(for: dice.pick(HostileUsers.columns), &dice) else {
                continue
            }
            let members = values.filter { $0 != .null }
            segments[name] = .array(members + (dice.chance(0.5) ? [.string("DE"), .string("free"), 17] : []))
            conditions.groups.append(name)
        }
        // Each may refer to those before it.
        for name in ["s1", "S-2", "s.3"] where dice.chance(0.5) {
            segments[name] = .object(conditions.condition(depth: 2, &dice))
            conditions.segments.append(name)
        }
        files["segments.json"] = .object(segments)
    }

    private mutating func makeLayers() {
        let names = dice.pick(dice.number(0...3), of: Self.layerPool)
        var object = JSONObject()
        for name in names {
            var layer = JSONObject()
            if dice.chance(0.4) { layer["unit"] = .string(dice.pick(HostileUsers.units)) }
            if dice.chance(0.3) { layer["salt"] = .string(name + ".salt") }
            object[name] = .object(layer)
            layers.append(Layer(name: name, free: pieces(dice.number(4...14))))
        }
        if !names.isEmpty { files["layers.json"] = .object(object) }
    }

    /// The whole of all buckets in a number of pieces, in random order.
    private mutating func pieces(_ count: Int) -> [Range<Int>] {
        let cuts = Set(
            (1..<count).map { _ in dice.chance(0.5) ? dice.number(1...99) * 10_000 : dice.number(1...999_999) })
        let ends = cuts.sorted() + [1_000_000]
        return dice.pick(count, of: zip([0] + ends, ends).map { $0..<$1 })
    }

    private mutating func makeExperiment(_ key: String) {
        var experiment = RandomExperiment(key: key, &dice)
        experiment.setting = "s\(experiments.count)"
        if experiment.draws, dice.chance(0.3) { experiment.salt = salt(key) }
        if dice.chance(0.6) { experiment.audience = conditions.condition(depth: dice.number(0...3), &dice) }
        if experiment.draws, dice.chance(0.55), experiment.status != "concluded" || dice.chance(0.5) {
            joinLayer(&experiment)
        }
        if dice.chance(0.35) { require(&experiment) }
        if dice.chance(0.35) { shareSetting(&experiment) }
        experiments.append(experiment)
    }

    private mutating func salt(_ key: String) -> String {
        // Now and then that of another experiment, which is only a warning.
        if let other = salts.sorted().first, dice.chance(0.3) { return other }
        let salt = "salt." + key.prefix(40)
        salts.insert(salt)
        return salt
    }

    private mutating func joinLayer(_ experiment: inout RandomExperiment) {
        guard !layers.isEmpty else { return }
        let index = dice.number(0...layers.count - 1)
        let count = min(layers[index].free.count, dice.number(1...3))
        guard count > 0 else { return }
        experiment.layer = layers[index].name
        experiment.slots = Array(layers[index].free.prefix(count))
        layers[index].free.removeFirst(count)
    }

    private mutating func require(_ experiment: inout RandomExperiment) {
        let targets = experiments.filter { $0.depth < 3 }
        guard let deepest = targets.max(by: { $0.depth < $1.depth }) else { return }
        for target in dice.chance(0.5) ? [deepest] : dice.pick(dice.number(1...2), of: targets) {
            experiment.requirements[target.key] = dice.chance(0.3) ? [] : dice.some(of: target.variants)
            experiment.depth = max(experiment.depth, target.depth + 1)
        }
    }

    /// Overrides the setting of an earlier experiment too, kept apart from it in one of four ways.
    private mutating func shareSetting(_ experiment: inout RandomExperiment) {
        let alone = experiments.indices.filter { index in
            !experiments.contains { $0.sharedWith == experiments[index].key }
        }
        guard let index = alone.isEmpty ? nil : dice.pick(alone), experiments[index].sharedWith == nil else { return }
        let areTimed = experiment.isTimed && experiments[index].isTimed
        switch dice.number(0...3) {
        case 0 where areTimed && experiment.layer != nil && experiment.layer == experiments[index].layer: break
        case 1 where areTimed:
            let isFirst = dice.chance(0.5)
            (experiment.starts, experiment.ends) = isFirst ? (nil, Self.instant) : (Self.instant, nil)
            (experiments[index].starts, experiments[index].ends) = isFirst ? (Self.instant, nil) : (nil, Self.instant)
            // In one layer they may have the same slots as well.
            if let layer = experiments[index].layer, experiment.layer == nil, experiment.draws {
                (experiment.layer, experiment.slots) = (layer, experiments[index].slots)
            }
        case 2 where !experiments[index].requirements.isEmpty:
            guard let target = experiments.first(where: { experiments[index].requirements[$0.key] != nil }),
                target.variants.count > 1
            else { return }
            experiments[index].requirements[target.key] = [target.variants[0]]
            experiment.requirements[target.key] = Array(target.variants.dropFirst())
            experiment.depth = max(experiment.depth, target.depth + 1)
        default:
            let (one, other) = dice.pick(Self.disjointAudiences)
            experiments[index].audience = one
            experiment.audience = other
            if dice.chance(0.5) { experiment.audience["email"] = ["$exists": true] }
        }
        experiment.sharedWith = experiments[index].key
        experiment.setting = experiments[index].setting
    }

    private static let disjointAudiences: [(JSONObject, JSONObject)] = [
        (["plan": "free"], ["plan": ["$in": ["plus", "team", "é"]]]),
        (["age": ["$lt": 18]], ["age": ["$gte": 18, "$lte": 99]]),
        (["app_version": ["$vlt": "1.2.3"]], ["app_version": ["$vgte": "1.2.3"]]),
        (["premium": true], ["premium": false]),
        (["country": ["$exists": false]], ["country": ["$in": ["DE", "US", "FR"]]]),
        (["signed_up": ["$before": "2026-01-01T00:00:00Z"]], ["signed_up": ["$after": "2026-01-01T00:00:00Z"]]),
        (["plan": ["$in": ["free", "FREE"]]], ["plan": ["$in": ["team", 5, .null]]]),
    ]

    /// Forces units, none of them into two experiments that share a layer or a setting.
    private mutating func makeForced() {
        for index in experiments.indices where experiments[index].draws && dice.chance(0.55) {
            let rivals = experiments[..<index].filter { other in
                !other.forced.isEmpty
                    && (other.setting == experiments[index].setting
                        || other.layer == experiments[index].layer && other.layer != nil)
            }
            if rivals.contains(where: { $0.unit != experiments[index].unit }) { continue }
            let taken = Set(rivals.flatMap { $0.forced.members.map { UTF8Key($0.key) } })
            let units = HostileUsers.frequentUnits(experiments[index].unit).filter { !taken.contains(UTF8Key($0)) }
            for unit in dice.pick(dice.number(1...25), of: units) {
                experiments[index].forced[unit] = .string(dice.pick(experiments[index].variants))
            }
        }
    }

    private mutating func makeHoldouts() {
        guard dice.chance(0.5) else { return }
        var object = JSONObject()
        for name in dice.pick(dice.number(1...3), of: Self.holdoutPool) {
            var holdout: JSONObject = [
                "share": .string(dice.pick(["0%", "0.0001%", "3.75%", "12.3456%", "30%", "50%"]))
            ]
            if dice.chance(0.3) { holdout["unit"] = .string(dice.pick(HostileUsers.units)) }
            if dice.chance(0.3) { holdout["salt"] = .string(name + "-salt") }
            let drawing = experiments.filter(\.draws).map { JSONValue.string($0.key) }
            if !drawing.isEmpty, dice.chance(0.3) { holdout["experiments"] = .array(dice.some(of: drawing)) }
            if dice.chance(0.3), !layers.isEmpty {
                holdout["layers"] = .array(dice.some(of: layers.map { .string($0.name) }))
            }
            object[name] = .object(holdout)
        }
        files["holdouts.json"] = .object(object)
    }

    private mutating func makeBase() {
        let settings = JSONObject(experiments.map { (key: $0.setting, value: ["value": 0] as JSONValue) })
        files["base.json"] = ["config_sections": ["Page": ["settings": .object(settings)]]]
    }
}
