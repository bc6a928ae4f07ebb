import AllotConfiguration

/// Translates payloads of GrowthBook.
enum GrowthBookImporter: PayloadImporter {
    static let title = "GrowthBook"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        throw payload.problem("the import from GrowthBook is not built yet")
    }
}
