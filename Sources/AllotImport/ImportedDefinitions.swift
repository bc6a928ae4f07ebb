import Allot
import AllotConfiguration
import AllotDefinitions

/// Definitions that a payload became, and the report on them. `Sendable`.
public struct ImportedDefinitions: Sendable {
    /// The files, in the order of their names.
    public let sources: [DefinitionSource]
    /// What was imported, and what was left out and why.
    public let report: ImportReport
    /// The definitions as they are loaded from the files.
    package let loaded: LoadedDefinitions

    init(_ text: DefinitionsText, attributes: [UsedAttribute], notes: [String]) throws(ImportError) {
        sources = text.sources()
        var loader = DefinitionsLoader(now: Instant(seconds: 0))
        loader.limits.settings = .max
        loader.limits.valueBytes = .max
        loader.limits.fileBytes = .max
        loader.limits.allowsEmpty = true
        do throws(DefinitionsError) {
            // What check would refuse is never written.
            loaded = try loader.load(sources)
        } catch {
            guard case .invalid(let problems) = error else { throw .refused([]) }
            throw .refused(problems.filter { $0.severity == .error })
        }
        report = ImportReport(
            text, attributes: attributes,
            notes: notes + Self.dots(loaded, text.system) + Self.limits(loaded, sources))
    }

    /// A note on attributes that Allot reads in two forms, of which the other system reads one.
    private static func dots(_ loaded: LoadedDefinitions, _ system: String) -> [String] {
        let names = loaded.plan.attributes.names.filter(AttributePath.leadsIntoObject).sorted(by: UTF8Order.precedes)
        guard !names.isEmpty else { return [] }
        let shown = names.map { PrintableText($0).description }.joined(separator: ", ")
        return [
            "Attributes with a dot in their names are read from a key of that name, or else from a member of an object "
                + "(\(shown)). \(system) reads one of the two only: give users that form."
        ]
    }

    /// Notes on the limits that other commands have to be given.
    private static func limits(_ loaded: LoadedDefinitions, _ sources: [DefinitionSource]) -> [String] {
        let standard = DefinitionLimits()
        var notes: [String] = []
        let count = loaded.definitions.settings.count
        if count > standard.settings {
            notes.append(
                "There are \(count) settings, more than other commands accept without --max-settings \(count).")
        }
        let bytes = ValueSize(base: loaded.definitions.base, experiments: loaded.definitions.experiments).bytes
        if bytes > standard.valueBytes {
            notes.append(
                "The values of the settings come to \(bytes) bytes, more than other commands accept without "
                    + "--max-value-bytes \(bytes).")
        }
        for source in sources where source.bytes.count > standard.fileBytes {
            notes.append("\(source.name) has \(source.bytes.count) bytes, more than other commands read.")
        }
        return notes
    }
}
