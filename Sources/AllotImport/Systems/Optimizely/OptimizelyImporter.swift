import AllotConfiguration

/// Translates payloads of Optimizely.
enum OptimizelyImporter: PayloadImporter {
    static let title = "Optimizely"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        throw payload.problem("the import from Optimizely is not built yet")
    }
}
