/// The owner that the file of an experiment names.
package struct DefinitionOwner: Sendable {
    /// The experiment's key.
    package let experiment: String
    /// The file, with its folder.
    let file: String
    /// The text of `owner`; `nil` if the file has none.
    let owner: String?
    /// Where it stands.
    let position: SourcePosition?

    init(_ experiment: ExperimentFile) {
        self.experiment = experiment.definition.key
        file = experiment.file
        owner = experiment.definition.owner
        position = experiment.places.owner?.position
    }
}
