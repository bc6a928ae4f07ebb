import AllotConfiguration
import AllotCore
import AllotDefinitions

/// Definitions that a payload became, and the report on them. `Sendable`.
public struct ImportedDefinitions: Sendable {
    /// The files, in the order of their names.
    public let sources: [DefinitionSource]
    /// The report on the imported flags, and on the ones that were left out and why.
    public let report: ImportReport
    package let loaded: LoadedDefinitions

    init(_ text: DefinitionsText, attributes: [UsedAttribute], notes: [String]) throws(ImportError) {
        var sources = text.sources()
        var loader = DefinitionsLoader(now: Instant(seconds: 0))
        loader.limits.settings = .max
        loader.limits.valueBytes = .max
        loader.limits.fileBytes = .max
        loader.limits.allowsEmpty = true
        do throws(DefinitionsError) {
            // Definitions that allot check would refuse are never written.
            loaded = try loader.load(sources)
        } catch {
            guard case .invalid(let problems) = error else { throw .refused([]) }
            throw .refused(problems.filter { $0.severity == .error })
        }
        for index in sources.indices where sources[index].name == "base.yaml" {
            let limits = Array(Self.limits(of: loaded).utf8)
            sources[index] = DefinitionSource(name: "base.yaml", bytes: sources[index].bytes + limits)
        }
        self.sources = sources
        let large = sources.filter { $0.bytes.count > DefinitionLimits().fileBytes }
        let remarks = large.map { "\($0.name) has \($0.bytes.count) bytes, more than other commands read." }
        report = ImportReport(text, attributes: attributes, notes: notes + Self.dots(loaded, text.system) + remarks)
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

    /// The limits that the base has to carry where the standard ones do not do, as a line of the file.
    private static func limits(of loaded: LoadedDefinitions) -> String {
        let (standard, definitions) = (DefinitionLimits(), loaded.definitions)
        let bytes = ValueSize(base: definitions.base, experiments: definitions.experiments).bound
        let limits = [
            (LimitKey.settings, definitions.settings.count, standard.settings),
            (LimitKey.valueBytes, bytes, standard.valueBytes),
        ]
        let raised = limits.filter { $0.1 > $0.2 }.map { "\($0.0): \($0.1)" }
        return raised.isEmpty ? "" : "\(LimitKey.all): { \(raised.joined(separator: ", ")) }\n"
    }
}
