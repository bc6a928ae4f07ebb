import AllotConfiguration
import AllotCore

/// Recognises a file whose name makes it an experiment, and whose content makes it something else.
enum MisnamedFile {
    enum Meaning: Equatable {
        /// A shared file, by the name that it should have.
        case shared(String)
        case tests
    }

    /// The kind of a file without the name of a shared one; `nil` for an experiment.
    static func meaning(of source: DefinitionSource) -> Meaning? {
        // `base` for `Base.yaml`, `bases.yaml` and `base.yml.yaml`.
        let stem = DefinitionsFolder.stem(of: DefinitionsFolder.stem(of: source.name).lowercased())
        let near = NearestName.hint(for: stem, among: DefinitionsReading.sharedFiles)
        // Nearly every experiment has both words, so that few files are parsed for this.
        let mayBeExperiment = ["status", "variants"].allSatisfy {
            ByteTable.contains(source.bytes.span, Array($0.utf8).span)
        }
        guard near != nil || !mayBeExperiment,
            case .map(let entries)? = SourceTree(source.bytes, file: source.name).root?.content, !entries.isEmpty
        else { return nil }
        let keys = Set(entries.map(\.key))
        if keys.contains("status") || keys.contains("variants") { return nil }
        if keys.contains("config_sections") { return .shared("base") }
        if keys.contains("cases") { return .tests }
        if entries.allSatisfy({ Field($0.value).member("share") != nil }) { return .shared("holdouts") }
        if let near { return .shared(near) }
        let areLayers = entries.allSatisfy { entry in
            guard let members = Field(entry.value).entries, !members.isEmpty else { return false }
            return members.allSatisfy { LayersFile.keys.contains($0.key) }
        }
        return areLayers ? .shared("layers") : nil
    }
}
