import AllotConfiguration
import Foundation

/// The `jsonschema` module of Python, where there is one.
package enum SchemaValidator {
    private static let schemas = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Experiments/schema").standardizedFileURL

    /// Reads `{"schema": …, "instances": {name: …}}` and prints the names of those that are valid, one per line.
    private static let script = """
        import json, sys
        from jsonschema import Draft202012Validator
        task = json.load(sys.stdin)
        Draft202012Validator.check_schema(task["schema"])
        validator = Draft202012Validator(task["schema"])
        for name, instance in task["instances"].items():
            if validator.is_valid(instance):
                print(name)
        """

    /// Reads `{"schemas": {name: …}, "outputs": [[name, …], …]}` and prints the faults of the outputs, one per line.
    private static let outputScript = """
        import json, sys
        from jsonschema import Draft202012Validator
        task = json.load(sys.stdin)
        base = "https://allot.example/"
        schemas = {name: {**schema, "$id": base + name} for name, schema in task["schemas"].items()}
        for schema in schemas.values():
            Draft202012Validator.check_schema(schema)
        for name, output in task["outputs"]:
            bundle = {"$id": base, "$ref": name, "$defs": schemas}
            for error in Draft202012Validator(bundle).iter_errors(output):
                for fault in error.context or [error]:
                    print(name, list(fault.absolute_path), fault.message)
        """

    /// The first Python that has the module, as the start of a command.
    private static let python: [String]? = [["/usr/bin/env", "python3"], ["/usr/bin/python3"]].first { command in
        (try? run(command + ["-c", "import jsonschema"], input: []))?.status == 0
    }

    package static var isAvailable: Bool { python != nil }

    private struct Failure: Error {
        let message: String
    }

    /// The names of the instances that a schema of `Experiments/schema` finds right, in one process.
    package static func valid(_ instances: JSONObject, schema name: String) throws -> Set<String> {
        try valid(instances, schemaFile: schemas.appending(path: name))
    }

    /// The names of the instances that a schema finds right, in one process.
    package static func valid(_ instances: JSONObject, schemaFile: URL) throws -> Set<String> {
        let schema = try JSONValue(parsing: Array(Data(contentsOf: schemaFile)))
        return Set(try lines(of: script, ["schema": schema, "instances": .object(instances)]))
    }

    /// The schemas of what commands print, by the commands' names with hyphens, such as `exposures-counts`.
    package static func outputSchemas() throws -> [String: JSONValue] {
        let folder = schemas.appending(path: "output")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let bytes = try Array(Data(contentsOf: folder.appending(path: name)))
                return (name.replacing(".json", with: ""), try JSONValue(parsing: bytes))
            })
    }

    /// The faults that these schemas find in what commands printed, in one process.
    package static func faults(in outputs: [(schema: String, value: JSONValue)]) throws -> [String] {
        let schemas = try outputSchemas().map { (key: $0.key + ".json", value: $0.value) }
        return try lines(
            of: outputScript,
            [
                "schemas": .object(JSONObject(schemas)),
                "outputs": .array(outputs.map { .array([.string($0.schema + ".json"), $0.value]) }),
            ])
    }

    private static func lines(of script: String, _ task: JSONValue) throws -> [String] {
        guard let python else { throw Failure(message: "no Python with jsonschema") }
        let result = try run(python + ["-c", script], input: task.canonicalBytes)
        guard result.status == 0 else { throw Failure(message: "python3 failed: \(result.errors)") }
        return result.text.split(separator: "\n").map(String.init)
    }

    private static func run(_ command: [String], input: [UInt8]) throws -> Outcome {
        try Outcome(of: URL(filePath: command[0]), Array(command.dropFirst()), input: input)
    }
}
