import AllotConfiguration

/// Translates payloads of LaunchDarkly.
enum LaunchDarklyImporter: PayloadImporter {
    static let title = "LaunchDarkly"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        throw payload.problem("the import from LaunchDarkly is not built yet")
    }
}
