import AllotConfiguration

/// Translates payloads of Firebase Remote Config.
enum FirebaseImporter: PayloadImporter {
    static let title = "Firebase Remote Config"

    static func project(_ payload: PayloadNode) throws(ImportProblem) -> ImportedProject {
        throw payload.problem("the import from Firebase Remote Config is not built yet")
    }
}
