import AllotConfiguration

/// Translates payloads of Unleash.
enum UnleashImporter: PayloadImporter {
    static let title = "Unleash"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        throw payload.problem("the import from Unleash is not built yet")
    }
}
