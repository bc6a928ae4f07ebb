import AllotConfiguration
import AllotCore

/// Translates Eppo's universal flag configuration as `eppo-server-sdk` 4.4.1 of PyPI evaluates it.
enum EppoImporter: PayloadImporter {
    static let title = "Eppo"

    static let otherMembers: Set = [
        "allocations", "comment", "createdAt", "enabled", "entityId", "environment", "key", "name", "totalShards",
        "updatedAt", "variationType", "variations",
    ]
    /// Eppo's subject key is not an attribute there. No attribute has this name.
    static let unit = "subject key"

    static func project(_ payload: PayloadNode, _ options: PayloadImport) throws(ImportProblem) -> ImportedProject {
        try checkFormat(payload)
        var project = ImportedProject(mainUnit: unit)
        project.unitName = "user_id"
        project.needsUnit = true
        let bandits = try banditVariations(payload)
        for (key, node) in try payload.required("flags").members() {
            project.addFlag(key, at: node.path) { () throws(ImportProblem) in
                try EppoFlag(key, node, bandits: bandits[UTF8Key(key)] ?? []).flag()
            }
        }
        project.noteTextsOfNumbers(in: title, forms: #""+5", ".5", "5." and "inf""#)
        project.note(
            "In Eppo an attribute \"id\" that is null hides the subject key. In Allot it is a missing one: leave the "
                + "attribute out of calls.", if: project.conditions.contains { $0.memberNames.contains("id") })
        return project
    }

    private static func checkFormat(_ payload: PayloadNode) throws(ImportProblem) {
        guard let format = payload["format"] else {
            let keys = try payload.required("flags").members().map(\.key)
            guard keys.isEmpty || !keys.allSatisfy({ $0.count == 32 && $0.allSatisfy(\.isHexDigit) }) else {
                throw payload.problem(
                    "the keys of all flags look like MD5 hashes: this configuration is obfuscated; download it with a "
                        + "server's SDK key")
            }
            return
        }
        switch try format.text() {
        case "SERVER": break
        case "CLIENT":
            throw format.problem(
                "this configuration is obfuscated: keys are hashed with MD5, which cannot be reversed, because it was "
                    + "made for clients; download it with a server's SDK key")
        case "PRECOMPUTED":
            throw format.problem(
                "this configuration is the answers for one subject; download it with a server's SDK key")
        case let other:
            throw format.problem("unknown format \(QuotedText(other)) of a configuration; this importer reads SERVER")
        }
    }

    private static func banditVariations(_ payload: PayloadNode) throws(ImportProblem) -> [UTF8Key: Set<UTF8Key>] {
        var result: [UTF8Key: Set<UTF8Key>] = [:]
        for (_, bandit) in try payload["bandits"]?.members() ?? [] {
            for variation in try bandit.elements() {
                let flag = UTF8Key(try variation.required("flagKey").text())
                result[flag, default: []].insert(UTF8Key(try variation.required("variationKey").text()))
            }
        }
        return result
    }
}

private struct EppoFlag {
    private let key: String
    private let node: PayloadNode
    private let bandits: Set<UTF8Key>
    /// The number of shards; Datadog's form has it in each shard instead.
    private let totalShards: Int?
    private let arms: [UTF8Key: Arm]

    init(_ key: String, _ node: PayloadNode, bandits: Set<UTF8Key>) throws(ImportProblem) {
        (self.key, self.node, self.bandits) = (key, node, bandits)
        totalShards = try node["totalShards"].map(Self.totalShards)
        arms = try Self.arms(of: key, node)
    }

    func flag() throws(ImportProblem) -> ImportedFlag {
        var flag = ImportedFlag(key: key, path: node.path, settings: [ImportedSetting(key, .null)])
        let allocations = try node.required("allocations").elements()
        if try node.required("enabled").boolean() {
            for allocation in allocations { flag.rules += try rules(of: allocation) }
        } else {
            flag.description = "Not enabled in Eppo."
        }
        return flag
    }

    private static func totalShards(_ node: PayloadNode) throws(ImportProblem) -> Int {
        let count = try node.integer()
        guard (1...HashScheme.maximumResolution).contains(count) else {
            throw node.problem("the number of shards is 1 to 2,147,483,647, not \(count)")
        }
        return count
    }

    private static func arms(of key: String, _ node: PayloadNode) throws(ImportProblem) -> [UTF8Key: Arm] {
        let type = try node.required("variationType")
        var arms: [UTF8Key: Arm] = [:]
        for (_, variation) in try node.required("variations").members() {
            let name = try variation.required("key").text()
            let value = try value(try variation.required("value"), as: type)
            // A value of another type is an error there, and the app gets its own default.
            arms[UTF8Key(name)] = Arm(key: name, settings: value.map { [ImportedSetting(key, $0)] } ?? [])
        }
        return arms
    }

    /// The value that Eppo serves. Returns `nil` if it is not of the flag's type.
    private static func value(_ node: PayloadNode, as type: PayloadNode) throws(ImportProblem) -> JSONValue? {
        switch (try type.text(), node.value) {
        case ("STRING", .string), ("BOOLEAN", .boolean): node.value
        case ("NUMERIC", .number(let number)): JSONNumber(number.double).map(JSONValue.number)
        case ("INTEGER", .number(let number)): Int64(exactly: number.double).map { .number(JSONNumber($0)) }
        case ("JSON", .string(let text)): try node.json(in: text)
        case ("STRING", _), ("BOOLEAN", _), ("NUMERIC", _), ("INTEGER", _), ("JSON", _): nil
        case (let other, _): throw type.problem("unknown type of variations \(QuotedText(other))")
        }
    }

    private static let allocationMembers: Set = [
        "key", "rules", "startAt", "endAt", "splits", "doLog", "name", "type", "experimentKey", "experimentId",
    ]

    private func rules(of allocation: PayloadNode) throws(ImportProblem) -> [ImportedRule] {
        try allocation.checkMembers(known: Self.allocationMembers)
        let name = try allocation.required("key").text()
        var conditions: [Guard] = [try period(of: allocation)]
        if let rules = allocation.member("rules"), rules.value == .null {
            throw rules.problem("Eppo's SDK refuses a flag whose rules are null, and serves the app's own default")
        }
        if let rules = try allocation["rules"]?.elements(), !rules.isEmpty {
            conditions.append(.condition(.any(try rules.map(EppoCondition.condition(ofRule:)))))
        }
        return ShardedSplit.rules(
            try allocation.required("splits").elements().map(split).compactMap { $0 },
            template: ImportedRule(
                // Allocations have the same names in many flags; this is what Eppo's logs call an experiment.
                name: "\(key)-\(name)", path: allocation.path, comment: ["Eppo's allocation \(QuotedText(name))."],
                condition: .all(conditions), outcome: .value(Arm(key: name, settings: []))))
    }

    /// The time of an allocation, in which Eppo includes the end.
    private func period(of allocation: PayloadNode) throws(ImportProblem) -> Guard {
        let (starts, ends) = (try allocation["startAt"].map(Self.instant), try allocation["endAt"].map(Self.instant))
        return starts == nil && ends == nil ? .always : .period(starts: starts, ends: ends.map(\.next))
    }

    private static func instant(_ node: PayloadNode) throws(ImportProblem) -> Instant {
        let text = try node.text()
        guard let instant = Instant(text) else { throw node.problem("\(QuotedText(text)) \(Instant.fault(of: text))") }
        return instant
    }

    private func split(_ split: PayloadNode) throws(ImportProblem) -> ShardedSplit? {
        try split.checkMembers(known: ["shards", "variationKey", "extraLogging"])
        let variation = try split.required("variationKey")
        let name = try variation.text()
        guard !bandits.contains(UTF8Key(name)) else {
            throw variation.problem(
                "the variation \(QuotedText(name)) is a contextual bandit, whose actions a model chooses; only "
                    + "fixed shares can be moved")
        }
        // A variation that does not exist is an error there, and the app gets its own default.
        var sharded = ShardedSplit(arm: arms[UTF8Key(name)] ?? Arm(key: name, settings: []))
        for shard in try split.required("shards").elements() {
            try shard.checkMembers(known: ["salt", "ranges", "totalShards"])
            let own = try shard["totalShards"].map(Self.totalShards)
            if let own, let ofFlag = totalShards, own != ofFlag {
                throw shard.problem("the shard has \(own) shards in all, and its flag \(ofFlag)")
            }
            guard let count = own ?? totalShards else {
                throw shard.problem("\"totalShards\" is missing here and in the flag; is the payload complete?")
            }
            var ranges: [Range<Int>] = []
            for range in try shard.required("ranges").elements() {
                let (start, end) = (try range.required("start").integer(), try range.required("end").integer())
                if max(0, start) < min(end, count) { ranges.append(max(0, start)..<min(end, count)) }
            }
            let buckets = BucketSet(ranges)
            if buckets.count == count { continue }
            let draw = Draw(.eppo1, salt: try shard.required("salt").salt(), unit: EppoImporter.unit, resolution: count)
            sharded.require(draw, buckets)
        }
        return sharded.isEmpty ? nil : sharded
    }
}
