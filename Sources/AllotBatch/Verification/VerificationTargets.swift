import AllotConfiguration
import AllotCore

/// The targets that rows can name: experiments by their keys, and settings with or without their section.
struct VerificationTargets: Sendable {
    enum Target: Sendable {
        /// An experiment, with the keys of its variants. One of the other system may have become several.
        case experiments([(index: Int, keys: [[UInt8]])])
        case setting(base: Served, experiments: [(index: Int, variants: [Served])])
    }

    struct Served: Sendable {
        let value: JSONValue
        /// The texts that the value has most often.
        let texts: [[UInt8]]
        /// The variant's key; `nil` for the base.
        let key: [UInt8]?
        /// Whether the key is the text of a value too, and stands for that.
        fileprivate(set) var isKeyValue = false

        init(_ value: JSONValue, key: [UInt8]? = nil) {
            self.value = value
            texts = VerificationTargets.texts(of: value)
            self.key = key
        }

        var text: String { String(decoding: texts.first ?? [], as: UTF8.self) }

        private static let words = [true: ["true", "on", "yes"], false: ["false", "off", "no"]]

        static func isBoolean(_ text: String) -> Bool { words.values.contains { $0.contains(text.lowercased()) } }

        /// Whether a recorded text is the value as another program writes it: `1.0` for 1, `TRUE`, or JSON with spaces.
        func isWritten(as recorded: String) -> Bool {
            if case .boolean(let flag) = value { return Self.words[flag]?.contains(recorded.lowercased()) ?? false }
            return (try? JSONValue(parsing: Array(recorded.utf8)))?.isEquivalent(to: value) ?? false
        }
    }

    private let table: ByteTable
    private let targets: [Target]
    /// By target, whether the keys of its variants differ in more than case.
    private var caseless: [Bool]

    /// The other system's names of experiments are by their keys. A name may be that of an experiment and of a setting.
    init(_ plan: Plan, otherNames: [String: String], prefersSettings: Bool) {
        var targets: [Target] = []
        var settingNames: [(key: [UInt8], value: Int)] = []
        var names: [(key: [UInt8], value: Int)] = []
        for (name, indices) in Self.experiments(of: plan, otherNames).sorted(by: { $0.key < $1.key }) {
            names.append((Array(name.text.utf8), targets.count))
            targets.append(
                .experiments(
                    indices.map { index in (index, plan.experiments[index].variants.map { Array($0.key.utf8) }) }))
        }
        let overriding = Self.overridingExperiments(of: plan)
        var short: [(key: [UInt8], value: Int)] = []
        for section in plan.base.sections.members {
            guard case .object(let settings) = section.value else { continue }
            for setting in settings.members {
                settingNames.append((Array("\(section.key).\(setting.key)".utf8), targets.count))
                short.append((Array(setting.key.utf8), targets.count))
                let experiments = overriding[UTF8Key("\(section.key).\(setting.key)")] ?? []
                targets.append(Self.setting(section.key, setting, experiments, plan))
            }
        }
        settingNames += short
        table = ByteTable(prefersSettings ? settingNames + names : names + settingNames)
        self.targets = targets
        caseless = []
        caseless = targets.indices.map { target in
            let keys = Set(keys(of: target).map(UTF8Key.init))
            return Set(keys.map { UTF8Key($0.text.lowercased()) }).count == keys.count
        }
    }

    /// The experiments by their names: those that the other system knows by a name, or else that with the key.
    private static func experiments(of plan: Plan, _ otherNames: [String: String]) -> [UTF8Key: [Int]] {
        var found: [UTF8Key: [Int]] = [:]
        for (index, experiment) in plan.experiments.enumerated() {
            if let name = otherNames[experiment.key] { found[UTF8Key(name), default: []].append(index) }
        }
        for (index, experiment) in plan.experiments.enumerated() {
            let key = UTF8Key(experiment.key)
            if found[key] == nil || otherNames[experiment.key] == nil { found[key, default: []].append(index) }
        }
        return found
    }

    private static func overridingExperiments(of plan: Plan) -> [UTF8Key: [Int]] {
        var found: [UTF8Key: [Int]] = [:]
        for (index, experiment) in plan.experiments.enumerated() {
            for path in Set(experiment.variants.flatMap(\.settings).map(UTF8Key.init)) {
                found[path, default: []].append(index)
            }
        }
        return found
    }

    private static func setting(
        _ section: String, _ setting: JSONObject.Member, _ overriding: [Int], _ plan: Plan
    ) -> Target {
        var experiments: [(index: Int, variants: [Served])] = []
        var values = Set(texts(of: setting.value))
        for index in overriding {
            let variants = plan.experiments[index].variants.map { variant in
                var value = setting.value
                if case .object(let overrides)? = variant.overrides[section], let override = overrides[setting.key] {
                    value = value.merging(override)
                }
                values.formUnion(texts(of: value))
                return Served(value, key: Array(variant.key.utf8))
            }
            experiments.append((index, variants))
        }
        for index in experiments.indices {
            for variant in experiments[index].variants.indices {
                let key = experiments[index].variants[variant].key
                experiments[index].variants[variant].isKeyValue = key.map(values.contains) ?? false
            }
        }
        return .setting(base: Served(setting.value), experiments: experiments)
    }

    /// The texts that a recorded value may have: text with or without quotes, null as nothing too.
    fileprivate static func texts(of value: JSONValue) -> [[UInt8]] {
        switch value {
        case .string(let text): [Array(text.utf8), value.canonicalBytes]
        case .null: [[], value.canonicalBytes]
        case .boolean(let flag): [value.canonicalBytes, Array((flag ? "True" : "False").utf8)]
        case .number, .array, .object: [value.canonicalBytes]
        }
    }

    @inline(__always)
    func find(_ name: Span<UInt8>) -> Int? { table.find(name) }
    var count: Int { targets.count }
    subscript(index: Int) -> Target { targets[index] }

    private func keys(of target: Int) -> [String] {
        let keys =
            switch targets[target] {
            case .experiments(let experiments): experiments.flatMap(\.keys)
            case .setting(_, let experiments): experiments.flatMap(\.variants).compactMap(\.key)
            }
        return keys.map { String(decoding: $0, as: UTF8.self) }
    }

    func ignoresCase(_ target: Int) -> Bool { caseless[target] }

    /// The texts that say themselves what a unit has of a target.
    func ownTexts(of target: Int) -> OwnTexts {
        var own = OwnTexts(texts: Set(keys(of: target).map { UTF8Key($0.lowercased()) }))
        guard case .setting(let base, let experiments) = targets[target] else { return own }
        for served in [base] + experiments.flatMap(\.variants) {
            own.types.insert(served.value.typeName)
            own.texts.formUnion(served.texts.map { UTF8Key(String(decoding: $0, as: UTF8.self).lowercased()) })
        }
        return own
    }

    /// Keys of variants and values, whatever their case. Where values are numbers or lists, all numbers and lists are.
    struct OwnTexts {
        fileprivate var texts: Set<UTF8Key>
        fileprivate var types: Set<String> = []

        func contains(_ text: String) -> Bool {
            if texts.contains(UTF8Key(text.lowercased())) { return true }
            if types.contains(JSONValue.boolean(true).typeName), Served.isBoolean(text) { return true }
            guard !types.isEmpty, let value = try? JSONValue(parsing: Array(text.utf8)) else { return false }
            if case .string = value { return false }
            return types.contains(value.typeName)
        }
    }

    /// The name of what rows have that agree; empty for no variant.
    func name(of match: VerificationCounts.Match) -> String {
        switch targets[match.target] {
        case .experiments(let experiments):
            experiments.first { $0.index == match.experiment }.map {
                String(decoding: $0.keys[match.variant], as: UTF8.self)
            } ?? ""
        case .setting(let base, let experiments):
            (experiments.first { $0.index == match.experiment }?.variants[match.variant] ?? base).text
        }
    }

    func experiments(of isNamed: [Bool]) -> [Int] {
        let named = zip(targets, isNamed).filter(\.1).map(\.0)
        return Set(
            named.flatMap { target in
                switch target {
                case .experiments(let experiments): experiments.map(\.index)
                case .setting(_, let experiments): experiments.map(\.index)
                }
            }
        ).sorted()
    }
}
