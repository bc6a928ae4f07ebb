import AllotConfiguration
import AllotCore

extension RandomFolder {
    /// The folder with the hashes of other systems in some experiments, layers and holdouts.
    ///
    /// - Parameter schemes: those that the engine computes.
    init(seed: Int, schemes: [HashScheme]) {
        self.init(seed: seed)
        var hashes = RandomForeignHashes(schemes: schemes, dice: Dice(seed: seed &* 15_485_863 &+ 3))
        for name in files.keys.sorted() {
            guard case .object(let object)? = files[name] else { continue }
            switch name {
            case "base.json", "segments.json": continue
            case "layers.json", "holdouts.json": files[name] = .object(hashes.gates(object))
            default: files[name] = .object(hashes.experiment(object))
            }
        }
    }
}

/// Gives parts of definitions the hashes of other systems.
private struct RandomForeignHashes {
    let schemes: [HashScheme]
    var dice: Dice
    private var saltCount = 0

    init(schemes: [HashScheme], dice: Dice) {
        self.schemes = schemes
        self.dice = dice
    }

    private static let saltPool = [
        "flag-allocation", "flag.key.salt", "a:b", "it's \\ \"quoted\"", "é–☃ 😀", "${x} $1 $$", "two\nlines", "",
        String(repeating: "long ", count: 180),
    ]

    /// A text of any kind, each time another one.
    private mutating func salt() -> JSONValue {
        saltCount += 1
        return .string(dice.pick(Self.saltPool) + "\(saltCount)")
    }

    /// Layers or holdouts: with a resolution of 1,000,000 their slots and shares stay.
    mutating func gates(_ gates: JSONObject) -> JSONObject {
        var changed = gates
        for member in gates.members {
            guard case .object(var gate) = member.value, dice.chance(0.5) else { continue }
            gate["hash"] = .string(dice.pick([HashScheme.eppo1, .statsig1]).rawValue)
            gate["resolution"] = 1_000_000
            gate["salt"] = salt()
            changed[member.key] = .object(gate)
        }
        return changed
    }

    /// An experiment, with ranges in the buckets of the hash.
    mutating func experiment(_ experiment: JSONObject) -> JSONObject {
        guard dice.chance(0.7), experiment["unit"] != "none", case .array(let variants)? = experiment["variants"] else {
            return experiment
        }
        let scheme = dice.pick(schemes)
        var changed = experiment
        var resolution = scheme.defaultResolution
        if scheme.takesResolution, dice.chance(0.6) {
            resolution = dice.pick([1, 3, 97, 1000, 65_536, 999_983, 2_147_483_647])
            changed["resolution"] = .number(JSONNumber(resolution))
        }
        changed["hash"] = .string(scheme.rawValue)
        changed["salt"] = salt()
        changed["traffic"] = nil
        var ranges = ranges(of: resolution, count: variants.count)
        changed["variants"] = .array(
            variants.map { value in
                guard case .object(var variant) = value else { return value }
                variant["weight"] = nil
                variant["buckets"] = .array(ranges.removeFirst().map { .string("\($0)") })
                return .object(variant)
            })
        return changed
    }

    /// Ranges for each variant, with holes between them.
    private mutating func ranges(of resolution: Int, count: Int) -> [[Range<Int>]] {
        var owned = Array(repeating: [Range<Int>](), count: count)
        let cuts = Set((0..<count * 2).map { _ in dice.number(0...resolution) }).sorted()
        for (start, end) in zip([0] + cuts, cuts + [resolution]) where start < end {
            if dice.chance(0.8) { owned[dice.number(0...count - 1)].append(start..<end) }
        }
        if owned.allSatisfy(\.isEmpty) { owned[0] = [0..<resolution] }
        return owned
    }
}
