import AllotConfiguration

/// Translates payloads of flagd.
enum FlagdImporter: PayloadImporter {
    static let title = "flagd"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        throw payload.problem("the import from flagd is not built yet")
    }
}
