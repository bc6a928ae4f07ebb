import AllotConfiguration

/// Translates payloads of Parse Server.
enum ParseImporter: PayloadImporter {
    static let title = "Parse Server"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        throw payload.problem("the import from Parse Server is not built yet")
    }
}
