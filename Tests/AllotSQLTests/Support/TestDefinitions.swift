import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotSQL

/// Definitions for one test, from values instead of files.
enum TestDefinitions {
    /// The plan of experiments, by key, beside a base that they need not know.
    static func plan(_ experiments: [String: JSONObject], segments: JSONObject? = nil) throws -> Plan {
        let base: JSONValue = ["config_sections": ["Page": ["settings": ["size": ["value": 0]]]]]
        var files: [String: JSONValue] = ["base.json": base]
        if let segments { files["segments.json"] = .object(segments) }
        for (key, experiment) in experiments {
            var experiment = experiment
            if experiment["status"] == nil { experiment["status"] = "running" }
            if experiment["variants"] == nil { experiment["variants"] = [["key": "control"], ["key": "green"]] }
            files[key + ".json"] = .object(experiment)
        }
        let sources = files.map { DefinitionSource(name: $0.key, bytes: Array($0.value.canonicalText.utf8)) }
        return try DefinitionsLoader().load(sources.sorted { $0.name < $1.name }).plan
    }
}

extension WarehouseStatement {
    /// A statement with what tests set most.
    init(_ dialect: Dialect, _ layout: Layout = .wide, creation: Creation? = nil) {
        self.init(dialect: dialect)
        (self.layout, self.creation) = (layout, creation)
    }

    /// Why the statement cannot be written; nothing if it can be.
    func problems(_ plan: Plan) -> [String] {
        do {
            _ = try text(for: plan)
            return []
        } catch {
            return error.problems
        }
    }
}
