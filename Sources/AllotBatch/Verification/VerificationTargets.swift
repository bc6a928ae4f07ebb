import Allot
import AllotConfiguration

/// What rows can name: experiments by their keys, and settings with or without their section.
struct VerificationTargets: Sendable {
    /// A thing that was recorded.
    enum Target: Sendable {
        /// An experiment, with the keys of its variants.
        case experiment(Int, keys: [[UInt8]])
        /// A setting: the texts of the base's value, and by experiment those of each variant.
        case setting(base: [[UInt8]], experiments: [(index: Int, variants: [Served])])
    }

    /// What a variant serves of a setting.
    struct Served: Sendable {
        let texts: [[UInt8]]
        /// The variant's key; `nil` where it is the text of a value, which it could be taken for.
        var key: [UInt8]?
    }

    private let table: ByteTable
    private let targets: [Target]

    /// - Parameter prefersSettings: Whether a name that is that of an experiment and of a setting means the setting.
    init(_ plan: Plan, prefersSettings: Bool) {
        var targets: [Target] = []
        var settingNames: [(key: [UInt8], value: Int)] = []
        var names: [(key: [UInt8], value: Int)] = []
        for (index, experiment) in plan.experiments.enumerated() {
            names.append((Array(experiment.key.utf8), targets.count))
            targets.append(.experiment(index, keys: experiment.variants.map { Array($0.key.utf8) }))
        }
        var short: [(key: [UInt8], value: Int)] = []
        for section in plan.base.sections.members {
            guard case .object(let settings) = section.value else { continue }
            for setting in settings.members {
                settingNames.append((Array("\(section.key).\(setting.key)".utf8), targets.count))
                short.append((Array(setting.key.utf8), targets.count))
                targets.append(Self.setting(section.key, setting, plan))
            }
        }
        settingNames += short
        table = ByteTable(prefersSettings ? settingNames + names : names + settingNames)
        self.targets = targets
    }

    private static func setting(_ section: String, _ setting: JSONObject.Member, _ plan: Plan) -> Target {
        let path = "\(section).\(setting.key)"
        var experiments: [(index: Int, variants: [Served])] = []
        var values = Set(texts(of: setting.value))
        for (index, experiment) in plan.experiments.enumerated()
        where experiment.variants.contains(where: { $0.settings.contains(path) }) {
            let variants = experiment.variants.map { variant in
                var value = setting.value
                if case .object(let overrides)? = variant.overrides[section], let override = overrides[setting.key] {
                    value = value.merging(override)
                }
                values.formUnion(texts(of: value))
                return Served(texts: texts(of: value), key: Array(variant.key.utf8))
            }
            experiments.append((index, variants))
        }
        for index in experiments.indices {
            for variant in experiments[index].variants.indices {
                guard let key = experiments[index].variants[variant].key, values.contains(key) else { continue }
                experiments[index].variants[variant].key = nil
            }
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
