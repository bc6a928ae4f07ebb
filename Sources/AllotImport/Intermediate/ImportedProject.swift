import AllotConfiguration
import AllotCore
import AllotDefinitions

/// The content of a payload: flags with first-match lists of rules, in the other system's names. `Sendable`.
struct ImportedProject: Sendable {
    var mainUnit: String
    /// Allot's name of a ``mainUnit`` that is not an attribute of the other system, unless another is chosen.
    var unitName: String?
    /// Whether the other system decides for users with an ID only: rules without a draw need one then.
    var needsUnit = false
    private(set) var flags: [ImportedFlag] = []
    /// Named conditions and lists that conditions refer to, under valid and unique names.
    private(set) var segments: [ImportedSegment] = []
    private(set) var inexact: [InexactFlag] = []
    var notes: [String] = []

    init(mainUnit: String) { self.mainUnit = mainUnit }

    /// Adds the flag that `translate` returns. If it throws, the flag is inexact, by its key.
    mutating func addFlag(_ key: String, at path: PayloadPath, _ translate: () throws(ImportProblem) -> ImportedFlag) {
        if !keys.insert(UTF8Key(key)).inserted {
            let problem = ImportProblem(path, "there is another one with the key \(QuotedText(key))")
            flags.removeAll { UTF8Order.areEqual($0.key, key) }
            inexact.append(InexactFlag(key: key, path: path, problem: problem))
            return
        }
        do throws(ImportProblem) {
            flags.append(try translate())
        } catch {
            inexact.append(InexactFlag(key: key, path: path, problem: error))
        }
    }

    mutating func note(_ text: String, if isNeeded: Bool) { if isNeeded { notes.append(text) } }

    /// Adds a sentence, without its full stop, on some flags. Without imported ones it adds none.
    mutating func note(_ sentence: String, on keys: [String]) {
        let imported = Set(flags.map { UTF8Key($0.key) })
        let keys = keys.filter { imported.contains(UTF8Key($0)) }
        note("\(sentence) (\(keys.listed(atMost: 10))).", if: !keys.isEmpty)
    }

    mutating func noteMembers(of payload: JSONValue, in ledger: MemberLedger, by importer: any PayloadImporter.Type) {
        let unknown = ledger.unknownMembers(
            of: payload, besides: importer.otherMembers, skipping: Set(inexact.map(\.path)))
        // The first fifty kinds of members are enough.
        for unknown in unknown.prefix(50) {
            let more = unknown.count > 1 ? ", which \(unknown.count) objects of its kind have," : ""
            notes.append(
                "\(unknown.path)\(more) is not known to this importer and was ignored. Check that it does not decide "
                    + "which units get which values.")
        }
    }

    /// Adds a named condition or a list of values, and returns its name for conditions: `name` made valid and unique.
    mutating func addSegment(_ name: String, _ definition: JSONValue, comment: [String] = []) -> String {
        let unique = segmentNames.unique(name)
        segments.append(ImportedSegment(name: unique, definition: definition, comment: comment))
        return unique
    }

    /// The guard, by the name of a segment if it is a condition that some units satisfy and others do not.
    mutating func naming(_ condition: Guard, _ name: String, comment: String) -> Guard {
        guard let json = condition.json, json != .always, json != .never else { return condition }
        return .condition(["$segment": .string(addSegment(name, json, comment: [comment]))])
    }

    private var segmentNames = NameTable()
    private var keys: Set<UTF8Key> = []

    func renamingAttributes(_ rename: (String) -> String) -> ImportedProject {
        var project = self
        project.mainUnit = rename(mainUnit)
        for index in segments.indices {
            project.segments[index].definition = segments[index].definition.renamingAttributes(rename)
        }
        for index in flags.indices {
            project.flags[index].rules = flags[index].rules.map { old in
                var rule = old
                rule.condition = old.condition.renamingAttributes(rename)
                rule.unit = old.unit.map(rename)
                guard case .split(let draw, let arms) = old.outcome else { return rule }
                rule.outcome = .split(draw.renamingUnit(rename), arms)
                return rule
            }
        }
        return project
    }
}

/// A named condition (an object), or a list of values. `Sendable`.
struct ImportedSegment: Sendable {
    let name: String
    var definition: JSONValue
    let comment: [String]
}

struct InexactFlag: Sendable {
    let key: String
    let path: PayloadPath
    let problem: ImportProblem
}

/// One flag, gate, feature or parameter: the first rule that applies decides. `Sendable`.
struct ImportedFlag: Sendable {
    var key: String
    var path: PayloadPath
    var description: String?
    var owner: String?
    /// The settings that the flag decides, with the values of units to which no rule applies.
    var settings: [ImportedSetting]
    var rules: [ImportedRule] = []
    /// The key of the variation that the default values are, where the other system names one.
    var defaultArm: String?
}

struct ImportedSetting: Sendable, Hashable {
    @Bytewise var name: String
    var value: JSONValue
    /// The name of the type, where overrides have another one than the value of the base.
    var type: String?

    init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

/// One rule of a flag. A unit that fails its guard, or whose bucket no arm owns, goes on to the next rule. `Sendable`.
struct ImportedRule: Sendable {
    /// The other system's key of the experiment or rule, which becomes the experiment's key; `nil` where it has none.
    var name: String?
    /// The other system's ID of the rule, which ends that key; `nil` where the name tells rules apart.
    var id: String?
    var path: PayloadPath
    /// Lines for the head of the file, such as the rule's name and its percentages there.
    var comment: [String] = []
    var condition = Guard.always
    var outcome: Outcome
    /// The attribute that holds the unit ID of a rule without a draw, if the project needs one; `nil` for its main one.
    var unit: String?

    var draws: [Draw] { if case .split(let draw, _) = outcome { condition.draws + [draw] } else { condition.draws } }
}

enum Outcome: Sendable {
    case value(Arm)
    /// A draw decides. Ranges of different arms do not overlap.
    case split(Draw, [ArmShare])
}

typealias ArmShare = (arm: Arm, buckets: BucketSet)

struct ArmShares {
    private(set) var shares: [ArmShare] = []
    private var taken = BucketSet.none

    /// Gives an arm the free ones of some buckets; `nil` takes them from later ones.
    mutating func add(_ arm: Arm?, _ buckets: BucketSet) {
        let free = buckets.subtracting(taken)
        taken = taken.union(buckets)
        if let arm, !free.isEmpty { shares.append((arm, free)) }
    }
}

/// A variation: the values of the flag's settings that it serves. `Sendable`.
struct Arm: Sendable, Hashable {
    /// The other system's key of the variation, which becomes the variant's key (made valid).
    @Bytewise var key: String
    var settings: [ImportedSetting]
    /// The name under which ``Guard/serves(flag:arms:orDefault:)`` finds it; by default its key.
    @Bytewise var served: String

    init(key: String, settings: [ImportedSetting], served: String? = nil) {
        self.key = key
        self.settings = settings
        self.served = served ?? key
    }
}

extension ImportedProject {
    var conditions: [JSONValue] {
        flags.flatMap { $0.rules.flatMap(\.condition.conditions) } + segments.map(\.definition)
    }

    /// Notes, if conditions compare numbers, which texts only the other system reads as numbers, by examples of them.
    mutating func noteTextsOfNumbers(in system: String, forms: String) {
        let operators: Set = ["$eq", "$in", "$gt", "$gte", "$lt", "$lte"]
        let tests = conditions.lazy.flatMap { $0.objects() }.filter { $0["$type"] == nil }
        note(
            "\(system) also reads text like \(forms) as numbers. In Allot only text in the form of -2.5 or 1e3 "
                + "counts as a number.",
            if: tests.contains { $0.members.contains { operators.contains($0.key) && $0.value.hasNumber } })
    }

    /// Takes out the flags that Allot refuses in what they became. Returns whether there is one.
    mutating func refuse(
        _ problems: [DefinitionProblem], of lowering: ProjectLowering,
        isAccepted: (ImportedProject) throws(ImportError) -> Void
    ) -> Bool {
        let messages = Dictionary(problems.map { ($0.file, $0.message) }, uniquingKeysWith: { first, _ in first })
        var refused: [UTF8Key: ImportProblem] = [:]
        func refuse(_ flag: LoweredFlag, _ message: String) {
            refused[UTF8Key(flag.key)] = ImportProblem(flag.path, "Allot refuses what it would become: \(message)")
        }
        for flag in lowering.flags {
            let keys = flag.experiments.flatMap { [$0.key] + $0.rest.requirements.keys }
            if let message = keys.lazy.compactMap({ messages["\($0).yaml"] }).first { refuse(flag, message) }
        }
        if refused.isEmpty {
            // The problem is in a file that flags share: each flag alone shows whether it causes the problem.
            for flag in lowering.flags {
                do throws(ImportError) {
                    try isAccepted(only(flag.key))
                } catch {
                    guard case .refused(let problems) = error, let problem = problems.first else { continue }
                    refuse(flag, "\(problem.file): \(problem.message)")
                }
            }
        }
        flags.removeAll { refused[UTF8Key($0.key)] != nil }
        for (key, problem) in refused.sorted(by: { $0.key < $1.key }) {
            inexact.append(InexactFlag(key: key.text, path: problem.path, problem: problem))
        }
        return !refused.isEmpty
    }

    private func only(_ key: String) -> ImportedProject {
        let byKey = Dictionary(flags.map { (UTF8Key($0.key), $0) }, uniquingKeysWith: { first, _ in first })
        var needed: Set<UTF8Key> = []
        var pending = [UTF8Key(key)]
        while let next = pending.popLast() {
            guard let flag = byKey[next], needed.insert(next).inserted else { continue }
            pending += flag.rules.flatMap(\.condition.flags).map(UTF8Key.init)
        }
        var project = self
        project.flags.removeAll { !needed.contains(UTF8Key($0.key)) }
        return project
    }

    var usedSegments: [ImportedSegment] {
        let byName = Dictionary(segments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var used: Set<String> = []
        var pending = flags.flatMap { $0.rules.flatMap(\.condition.conditions) }.flatMap(\.segments)
        while let name = pending.popLast() {
            guard let segment = byName[name], used.insert(name).inserted else { continue }
            pending += segment.definition.segments
        }
        return segments.filter { used.contains($0.name) }
    }
}

extension JSONValue {
    fileprivate var hasNumber: Bool { asNumber != nil || asArray?.contains(where: \.hasNumber) ?? false }

    fileprivate var segments: [String] {
        allMembers.filter { ["$segment", "$inGroup", "$notInGroup"].contains($0.key) }.compactMap(\.value.text)
    }
}
