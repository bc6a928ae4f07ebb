import AllotConfiguration
import AllotCore

/// The definitions with a change of one file, in memory, and the problems that the loader reports.
package struct ExaminedEdit: Sendable {
    package let edit: DefinitionsEdit
    /// The changed definitions; `nil` if they have errors.
    package let loaded: LoadedDefinitions?
    /// The errors and warnings that the current definitions do not have.
    package let problems: [DefinitionProblem]
}

extension EditableDefinitions {
    /// Changes a setting of the base, in memory. The edited text is read again as a whole: it must differ in this
    /// setting, and in nothing else.
    package func editing(_ section: String, _ name: String, _ change: BaseChange) throws(ExperimentEditError)
        -> ExaminedEdit
    {
        let path = SettingPath.text([section, name])
        guard let source = content.sources.first(where: { DefinitionsFolder.stem(of: $0.name) == "base" }) else {
            throw ExperimentEditError(
                description: "there is no base in \(folder); create base.yaml with: config_sections: {}")
        }
        let shown = DefinitionsReading.shown(source.name, in: folder)
        let keys = [ConfigurationDocument.Key.sections, section, ConfigurationDocument.Key.settings, name]
        let tree = SourceTree(source.bytes, file: source.name).root
        let exists = tree.flatMap { Field($0).member(keys) } != nil
        let old = tree?.json ?? .null
        let (message, isNew, expected): (String, Bool, JSONValue) =
            switch change {
            case .value(let value):
                ("Set \(path) to \(value.flowText)", false, old.setting((keys + ["value"])[...], to: value))
            case .addition(let declaration):
                ("Add \(path)", true, old.setting(keys[...], to: .object(JSONObject(declaration))))
            case .removal: ("Remove \(path)", false, old.setting(keys[...], to: nil))
            }
        guard exists != isNew else {
            throw ExperimentEditError(
                description: "\(shown) \(exists ? "declares \(path) already" : "does not declare \(path)")")
        }
        guard let editor = BaseEditor(source) else {
            throw ExperimentEditError(description: "\(shown) cannot be read; fix its errors first")
        }
        let bytes: [UInt8]
        do throws(BaseEditor.Refusal) {
            bytes = try editor.bytes(after: change, at: keys)
            guard SourceTree(bytes, file: source.name).root?.json == expected else {
                throw BaseEditor.Refusal(
                    reason: "more than this setting would change", position: editor.position(of: keys))
            }
        } catch {
            throw ExperimentEditError(
                description: "\(shown):\(error.position): \(PrintableText(path)) cannot be edited safely, because "
                    + "\(error.reason); edit it by hand: \(PrintableText(message, atMost: 200))")
        }
        return examine(DefinitionsEdit(source, to: bytes, in: self, message: message))
    }

    /// Loads the definitions as they would be.
    func examine(_ edit: DefinitionsEdit) -> ExaminedEdit {
        let (loaded, problems) = load(edit)
        let known = Set(self.loaded.warnings.map(\.message))
        return ExaminedEdit(edit: edit, loaded: loaded, problems: problems.filter { !known.contains($0.message) })
    }

    private func load(_ edit: DefinitionsEdit) -> (LoadedDefinitions?, [DefinitionProblem]) {
        var changed = content
        // The manifest changes with the file.
        (changed.sources, changed.manifest) = (edit.sources, nil)
        do throws(DefinitionsError) {
            let loaded = try loader.load(changed, folder: folder)
            return (loaded, loaded.warnings)
        } catch {
            if case .invalid(let problems) = error { return (nil, problems) }
            return (nil, [DefinitionProblem(file: folder, "\(error)")])
        }
    }

    /// The test files of the folder, for the definitions as they would be; empty if there are none.
    package func testSources() throws(DefinitionsError) -> [DefinitionSource] {
        guard content.folders.contains(DefinitionsLoader.testFolder) else { return [] }
        let tests = (folder.hasSuffix("/") ? folder : folder + "/") + DefinitionsLoader.testFolder
        return try loader.testSources(in: tests) { try loader.testContent(folder: tests) }
    }
}

extension Field {
    fileprivate func member(_ keys: [String]) -> Field? {
        keys.reduce(Optional(self)) { field, key in field?.member(key) }
    }
}

extension JSONValue {
    fileprivate func setting(_ keys: ArraySlice<String>, to value: JSONValue?) -> JSONValue {
        guard let key = keys.first, case .object(var members) = self else { return self }
        let rest = keys.dropFirst()
        members[key] = rest.isEmpty ? value : (members[key] ?? [:]).setting(rest, to: value)
        return .object(members)
    }
}
