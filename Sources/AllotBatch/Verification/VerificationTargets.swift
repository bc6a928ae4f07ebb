import Allot
import AllotConfiguration

/// What rows can name: experiments by their keys, and settings with or without their section.
struct VerificationTargets: Sendable {
    /// A thing that was recorded.
    enum Target: Sendable {
        /// An experiment, with the keys of its variants.
        case experiment(Int, keys: [[UInt8]])
        /// A setting: the texts of the base's value, and by experiment those of each variant that overrides it.
        case setting(base: [[UInt8]], experiments: [(index: Int, texts: [[[UInt8]]])])
    }

    private let table: ByteTable
    private let targets: [Target]

    /// Experiments come before settings, and full names of settings before short ones.
    init(_ plan: Plan) {
        var targets: [Target] = []
        var names: [(key: [UInt8], value: Int)] = []
        for (index, experiment) in plan.experiments.enumerated() {
            names.append((Array(experiment.key.utf8), targets.count))
            targets.append(.experiment(index, keys: experiment.variants.map { Array($0.key.utf8) }))
        }
        var short: [(key: [UInt8], value: Int)] = []
        for section in plan.base.sections.members {
            guard case .object(let settings) = section.value else { continue }
            for setting in settings.members {
                names.append((Array("\(section.key).\(setting.key)".utf8), targets.count))
                short.append((Array(setting.key.utf8), targets.count))
                targets.append(Self.setting(section.key, setting, plan))
            }
        }
        table = ByteTable(names + short)
        self.targets = targets
    }

    private static func setting(_ section: String, _ setting: JSONObject.Member, _ plan: Plan) -> Target {
        let path = "\(section).\(setting.key)"
        var experiments: [(index: Int, texts: [[[UInt8]]])] = []
        for (index, experiment) in plan.experiments.enumerated()
        where experiment.variants.contains(where: { $0.settings.contains(path) }) {
            let texts = experiment.variants.map { variant in
                var value = setting.value
                if case .object(let overrides)? = variant.overrides[section], let override = overrides[setting.key] {
                    value = value.merging(override)
                }
                return Self.texts(of: value) + [Array(variant.key.utf8)]
            }
            experiments.append((index, texts))
        }
        return .setting(base: texts(of: setting.value), experiments: experiments)
    }

    /// The texts that a recorded value may have: text with or without quotes, null as nothing too.
    private static func texts(of value: JSONValue) -> [[UInt8]] {
        switch value {
        case .string(let text): [Array(text.utf8), value.canonicalBytes]
        case .null: [[], value.canonicalBytes]
        case .boolean(let flag): [value.canonicalBytes, Array((flag ? "True" : "False").utf8)]
        case .number, .array, .object: [value.canonicalBytes]
        }
    }

    /// The target of a name. Returns `nil` if the plan does not have it.
    @inline(__always)
    func find(_ name: Span<UInt8>) -> Int? {
        table.find(name)
    }

    var count: Int { targets.count }

    subscript(index: Int) -> Target { targets[index] }

    /// The experiments that decide targets.
    func experiments(of isNamed: [Bool]) -> [Int] {
        let named = zip(targets, isNamed).filter(\.1).map(\.0)
        return Set(
            named.flatMap { target in
                switch target {
                case .experiment(let index, _): [index]
                case .setting(_, let experiments): experiments.map(\.index)
                }
            }
        ).sorted()
    }
}
