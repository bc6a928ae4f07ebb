import AllotConfiguration

/// Recognises a file whose name makes it an experiment, and whose content makes it something else.
enum MisnamedFile {
    /// The file as its content shows it.
    enum Meaning: Equatable {
        /// A shared file, by the name that it should have.
        case shared(String)
        /// A file of tests.
        case tests
    }

    /// The kind of a file without the name of a shared one; `nil` for an experiment.
    static func meaning(of source: DefinitionSource) -> Meaning? {
        let near = sharedName(near: DefinitionsFolder.stem(of: source.name))
        // Nearly every experiment has both words, so that few files are parsed for this.
        let mayBeExperiment = source.bytes.contains("status".utf8) && source.bytes.contains("variants".utf8)
        guard near != nil || !mayBeExperiment,
            case .map(let entries)? = SourceTree(source.bytes, file: source.name).root?.content, !entries.isEmpty
        else { return nil }
        let keys = Set(entries.map(\.key))
        if keys.contains("status") || keys.contains("variants") { return nil }
        if keys.contains("config_sections") { return .shared("base") }
        if keys.contains("cases") { return .tests }
        if entries.allSatisfy({ Field($0.value).member("share") != nil }) { return .shared("holdouts") }
        if let near { return .shared(near) }
        return entries.allSatisfy({ isLayer(Field($0.value)) }) ? .shared("layers") : nil
    }

    /// The name of a shared file that was probably meant: `base` for `Base`, `bases` and `base.yml`.
    private static func sharedName(near stem: String) -> String? {
        NearestName.hint(for: DefinitionsFolder.stem(of: stem.lowercased()), among: DefinitionsReading.sharedFiles)
    }

    private static func isLayer(_ field: Field) -> Bool {
        guard let entries = field.entries, !entries.isEmpty else { return false }
        return entries.allSatisfy { LayersFile.keys.contains($0.key) }
    }
}
