import AllotConfiguration
import AllotCore

package struct ExperimentEdit: Sendable {
    /// The new buckets of every variant; empty to keep the division. A variant that the file does not have is added at
    /// the end, without overrides.
    package var buckets: [(variant: String, ranges: [Range<Int>])] = []
    package var traffic: Traffic?

    package init() {}
}

package struct ExperimentEditError: Error, CustomStringConvertible {
    package let description: String
}

/// A folder of definitions whose files can be edited in memory, to examine a change before it is written.
package struct EditableDefinitions: Sendable {
    package let loaded: LoadedDefinitions
    let loader: DefinitionsLoader
    let folder: String
    let content: DefinitionsFolder.Content

    package init(folder: String, loader: DefinitionsLoader) throws(DefinitionsError) {
        self.folder = folder
        self.loader = loader
        content = try DefinitionsFolder.read(folder, limits: loader.limits)
        loaded = try loader.load(content, folder: folder)
    }

    package struct Edited: Sendable {
        package let edit: DefinitionsEdit
        package let loaded: LoadedDefinitions
    }

    /// Edits the file of an experiment, in memory.
    ///
    /// The edited text is read again as a whole: it must say exactly what the edit says, and everything else must keep
    /// its meaning.
    package func editing(_ key: String, _ edit: ExperimentEdit) throws(ExperimentEditError) -> Edited {
        guard let source = content.sources.first(where: { DefinitionsFolder.stem(of: $0.name) == key }) else {
            throw ExperimentEditError(description: "there is no file of the experiment \(key) in \(folder)")
        }
        let path = DefinitionsReading.shown(source.name, in: folder)
        let scale = loaded.definitions.experiments.first { $0.key == key }?.hash?.scale ?? .own
        guard var editor = ExperimentEditor(source), let bytes = editor.apply(edit, scale),
            case let edited = DefinitionsEdit(
                source, to: bytes, in: self, message: "Edit \(key): \(Self.described(edit, scale))"),
            let result = try? loader.load(edited.sources, folder: folder),
            result.definitions.isChange(of: loaded.definitions, at: key, by: edit),
            ExperimentEditor(edited.source)?.untouched(variants: editor.variantCount)
                == editor.untouched(variants: editor.variantCount)
        else {
            throw ExperimentEditError(
                description: "\(path) is written in a way that cannot be edited safely; "
                    + "set the values by hand: \(Self.described(edit, scale))")
        }
        return Edited(edit: edited, loaded: result)
    }

    private static func described(_ edit: ExperimentEdit, _ scale: BucketScale) -> String {
        let buckets = edit.buckets.map {
            "\($0.variant) buckets: \(ExperimentEditor.text(of: $0.ranges, scale, isJSON: false))"
        }
        let traffic = edit.traffic.map { ["traffic: \(ExperimentEditor.text(of: $0, isJSON: false))"] } ?? []
        return (traffic + buckets).joined(separator: ", ")
    }
}

extension Definitions {
    fileprivate func isChange(of old: Definitions, at key: String, by edit: ExperimentEdit) -> Bool {
        var expected = old
        guard let index = expected.experiments.firstIndex(where: { $0.key == key }) else { return false }
        if let traffic = edit.traffic { expected.experiments[index].traffic = traffic }
        if !edit.buckets.isEmpty {
            let before = old.experiments[index].variants
            expected.experiments[index].variants = edit.buckets.map { variant, ranges in
                VariantDefinition(
                    key: variant, buckets: BucketSet(ranges).ranges,
                    overrides: before.first { $0.key == variant }?.overrides ?? [:])
            }
        }
        // Revisions leave out steps that no unit would notice.
        return experiments[index].traffic == expected.experiments[index].traffic
            && Plan(expected).revision == Plan(self).revision
    }
}
