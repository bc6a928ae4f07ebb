import AllotConfiguration

extension CheckReport {
    /// The report in the Static Analysis Results Interchange Format, version 2.1.0.
    func sarif(version: String) -> JSONValue {
        let rules = [
            ("definition-error", "The definitions cannot be used."),
            ("definition-warning", "The definitions can be used, but are probably not what was intended."),
        ]
        let driver: JSONValue = [
            "name": "allot", "version": .string(version),
            "rules": .array(rules.map { ["id": .string($0), "shortDescription": ["text": .string($1)]] }),
        ]
        let run: JSONValue = [
            "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
            "invocations": [["executionSuccessful": true]], "results": .array(problemsInRepository.map(\.sarif)),
        ]
        return ["$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]]
    }
}

extension DefinitionProblem {
    fileprivate var sarif: JSONValue {
        var place: JSONObject = ["artifactLocation": Self.artifact(file)]
        if let position { place["region"] = ["startLine": .int(position.line), "startColumn": .int(position.column)] }
        var location: JSONObject = ["physicalLocation": .object(place)]
        if let path { location["logicalLocations"] = [["fullyQualifiedName": .string(path)]] }
        return [
            "ruleId": .string("definition-\(severity.rawValue)"), "level": .string(severity.rawValue),
            "message": ["text": .string(message)], "locations": [.object(location)],
        ]
    }

    /// A file as a URI: below the top of the sources, or absolute.
    private static func artifact(_ file: String) -> JSONValue {
        let uri = file.percentEncoded { $0.isUnreservedInURI || $0 == UInt8(ascii: "/") }
        return file.hasPrefix("/")
            ? ["uri": .string("file://\(uri)")] : ["uri": .string(uri), "uriBaseId": "%SRCROOT%"]
    }
}
