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
        guard let python else { throw Failure(message: "no Python with jsonschema") }
        let schema = try JSONValue(parsing: Array(Data(contentsOf: schemaFile)))
        let task: JSONValue = ["schema": schema, "instances": .object(instances)]
        let result = try run(python + ["-c", script], input: task.canonicalBytes)
        guard result.status == 0 else { throw Failure(message: "python3 failed with \(result.status)") }
        return Set(result.text.split(separator: "\n").map(String.init))
    }

    private static func run(_ command: [String], input: [UInt8]) throws -> Outcome {
        try Outcome(of: URL(filePath: command[0]), Array(command.dropFirst()), input: input)
    }
}
