import AllotConfiguration

/// Translates payloads of Statsig.
enum StatsigImporter: PayloadImporter {
    static let title = "Statsig"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        throw payload.problem("the import from Statsig is not built yet")
    }
}
