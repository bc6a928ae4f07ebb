/// Words that people bring from other systems, each with what it is here.
enum OtherWords {
    static let experimentKeys: [String: String] = {
        let holdout = "a holdout names the experiments that it covers, in holdouts.yaml"
        let audience = "who is eligible is written as audience"
        let traffic = "the share of units that are enrolled is written as traffic"
        let key = "the experiment's key is the file's name without its ending"
        return [
            "holdout": holdout, "holdouts": holdout,
            "segment": "write audience: { $segment: NAME }", "segments": "write audience: { $segment: NAME }",
            "condition": audience, "conditions": audience, "targeting": audience, "rules": audience,
            "percentage": traffic, "rollout": traffic, "coverage": traffic, "share": traffic, "allocation": traffic,
            "prerequisites": "experiments whose variants a unit needs are written as requires",
            "weights": "each variant has its weight", "overrides": "each variant has its overrides",
            "enabled": "write status: running or status: paused", "active": "write status: running or status: paused",
            "id": key, "key": key, "name": key, "cases": "test cases belong into a file of the folder tests",
        ]
    }()

    /// The fix for a status that does not exist; `nil` for a word that is not known.
    static func fix(forStatus word: String) -> String? {
        switch word.lowercased() {
        case "scheduled", "planned", "pending", "upcoming":
            "an experiment that begins later has status: running and starts: INSTANT"
        case "active", "live", "started", "enabled", "on", "launched", "true": "write status: running"
        case "stopped", "disabled", "off", "inactive", "suspended", "false": "write status: paused"
        case "completed", "finished", "ended", "done", "archived", "closed", "shipped": "write status: concluded"
        case "new", "wip": "write status: draft"
        default: nil
        }
    }
}

extension FileReader {
    /// The key of a variant. For `true` and numbers the error names the variants, unless one is called so.
    mutating func variant(_ field: Field, _ what: String, among keys: [String]?) -> String? {
        let written = field.node.json.canonicalText
        guard let keys, !keys.contains(written) else { return text(field, what) }
        switch field.node.content {
        case .boolean(let flag):
            let twin = flag ? "on" : "off"
            let fix = keys.contains(twin) ? "write \(twin)" : "the variants are \(keys.joined(separator: ", "))"
            error("\(what) is \(flag), which is not a variant; \(fix)", at: field)
        case .number:
            let fix = Self.hint(written, keys, what: "the variants are")
            error("\(what) is the number \(written), which is not a variant; \(fix)", at: field)
        case .text, .null, .list, .map: return text(field, what)
        }
        return nil
    }
}
