import AllotConfiguration
import AllotCore

package struct ExperimentEdit: Sendable {
    /// The new buckets of every variant; empty to keep the division. A variant that the file does not have is added at
    /// the end, without overrides.
    package var buckets: [(variant: String, ranges: [Range<Int>])] = []
    package var traffic: Traffic?
    /// The new status; any but concluded removes the winner.
    package var status: ExperimentStatus?
    /// The winner of a concluded experiment.
    package var winner: String?
    package var starts: Limit?
    package var ends: Limit?
    package var salt: ChosenSalt?

    /// A salt of Allot's own hash, and how it was chosen.
    package struct ChosenSalt: Sendable {
        package let salt: Salt
        package let choice: ChosenRandomisation

        package init(_ salt: Salt, _ choice: ChosenRandomisation) { (self.salt, self.choice) = (salt, choice) }
    }

    /// A start or an end.
    package enum Limit: Sendable {
        case at(Instant)
        /// The experiment is live from the first instant on, or up to the last one.
        case never

        package var instant: Instant? { if case .at(let instant) = self { instant } else { nil } }
    }

    package init() {}
}

package struct ExperimentEditError: Error, CustomStringConvertible { package let description: String }

/// A folder of definitions whose files can be edited in memory, to examine a change before it is written.
package struct EditableDefinitions: Sendable {
    package let loaded: LoadedDefinitions
    let loader: DefinitionsLoader
    package let folder: String
    let content: DefinitionsFolder.Content

    package init(folder: String, loader: DefinitionsLoader) throws(DefinitionsError) {
        (self.folder, self.loader) = (folder, loader)
        content = try DefinitionsFolder.read(folder, limits: loader.limits)
        loaded = try loader.load(content, folder: folder)
    }

    package struct Edited: Sendable {
        package let edit: DefinitionsEdit
        package let loaded: LoadedDefinitions
    }

    /// Edits the file of an experiment, in memory. The edited text is read again as a whole: it must say exactly what
    /// the edit says, and everything else must keep its meaning.
    package func editing(_ key: String, _ edit: ExperimentEdit) throws(ExperimentEditError) -> Edited {
        let examined = try examining(key, edit)
        guard let result = examined.loaded else { throw refusal(examined.edit.path, key, edit) }
        return Edited(edit: examined.edit, loaded: result)
    }

    /// Edits the file of an experiment, in memory, as ``editing(_:_:)`` does, also if that makes errors.
    package func examining(_ key: String, _ edit: ExperimentEdit) throws(ExperimentEditError) -> ExaminedEdit {
        guard let source = content.sources.first(where: { DefinitionsFolder.stem(of: $0.name) == key }) else {
            throw ExperimentEditError(description: "there is no file of the experiment \(key) in \(folder)")
        }
        let scale = scale(of: key)
        guard var editor = ExperimentEditor(source), let bytes = editor.apply(edit, scale),
            case let examined = examine(
                DefinitionsEdit(source, to: bytes, in: self, message: "Edit \(key): \(Self.described(edit, scale))")),
            examined.loaded?.definitions.isChange(of: loaded.definitions, at: key, by: edit) != false,
            ExperimentEditor(examined.edit.source)?.untouched(variants: editor.variantCount)
                == editor.untouched(variants: editor.variantCount)
        else { throw refusal(DefinitionsReading.shown(source.name, in: folder), key, edit) }
        return examined
    }

    private func scale(of key: String) -> BucketScale {
        loaded.definitions.experiments.first { $0.key == key }?.hash?.scale ?? .own
    }

    private func refusal(_ path: String, _ key: String, _ edit: ExperimentEdit) -> ExperimentEditError {
        ExperimentEditError(
            description: "\(path) is written in a way that cannot be edited safely; "
                + "set the values by hand: \(Self.described(edit, scale(of: key)))")
    }

    private static func described(_ edit: ExperimentEdit, _ scale: BucketScale) -> String {
        var parts = edit.traffic.map { ["traffic: \(ExperimentEditor.text(of: $0, isJSON: false))"] } ?? []
        if let status = edit.status { parts.append("status: \(status.rawValue)") }
        if let winner = edit.winner { parts.append("winner: \(winner)") }
        for (key, limit) in [("starts", edit.starts), ("ends", edit.ends)] {
            if let limit { parts.append(limit.instant.map { "\(key): \($0.writtenText)" } ?? "no \(key)") }
        }
        if let chosen = edit.salt {
            parts.append("salt: \(chosen.salt)")
            parts.append("randomisation: \(ExperimentEditor.text(of: chosen.choice))")
        }
        parts += edit.buckets.map {
            "\($0.variant) buckets: \(ExperimentEditor.text(of: $0.ranges, scale, isJSON: false))"
        }
        return parts.joined(separator: ", ")
    }
}

extension Definitions {
    fileprivate func isChange(of old: Definitions, at key: String, by edit: ExperimentEdit) -> Bool {
        var expected = old
        guard let index = expected.experiments.firstIndex(where: { $0.key == key }) else { return false }
        if let traffic = edit.traffic { expected.experiments[index].traffic = traffic }
        if let status = edit.status { expected.experiments[index].status = status }
        if let winner = edit.winner { expected.experiments[index].winner = winner }
        if let status = edit.status, status != .concluded { expected.experiments[index].winner = nil }
        if let starts = edit.starts { expected.experiments[index].starts = starts.instant }
        if let ends = edit.ends { expected.experiments[index].ends = ends.instant }
        if let chosen = edit.salt {
            expected.experiments[index].draw?.hash = .sha256(chosen.salt)
            expected.experiments[index].randomisation = chosen.choice
        }
        if !edit.buckets.isEmpty {
            let before = old.experiments[index].variants
            expected.experiments[index].variants = edit.buckets.map { variant, ranges in
                VariantDefinition(
                    key: variant, buckets: BucketSet(ranges).ranges,
                    overrides: before.first { $0.key == variant }?.overrides ?? [:])
            }
        }
        // Revisions leave out steps that no unit would notice.
        let (found, wanted) = (experiments[index], expected.experiments[index])
        return found.traffic == wanted.traffic && found.status == wanted.status && found.starts == wanted.starts
            && found.ends == wanted.ends && found.randomisation == wanted.randomisation
            && Plan(expected).revision == Plan(self).revision
    }
}
