import AllotConfiguration

/// Translates payloads of Eppo.
enum EppoImporter: PayloadImporter {
    static let title = "Eppo"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        throw payload.problem("the import from Eppo is not built yet")
    }
}
