import AllotCore
import AllotDefinitions
import AllotExposures
import AllotPages

extension Catalog {
    /// 2026-11-21T12:00:00Z
    static let now = Instant(seconds: 1_795_262_400)

    /// A catalogue of files, by their names without the ending, at ``now``.
    init(files: [String: String], limits: DefinitionLimits = DefinitionLimits()) throws {
        let sources = files.map { DefinitionSource(name: "\($0.key).yaml", bytes: Array($0.value.utf8)) }
        self.init(try DefinitionsLoader(now: Self.now, limits: limits).load(sources).plan, at: Self.now)
    }

    /// The frame of a page with the way to the root.
    func frame(root: String = "") -> PageFrame {
        PageFrame(PageLinks(.routes, root: root), revision: plan.revision, instant: instant)
    }
}

extension String {
    /// Those of some texts that are not in this one, by bytes.
    func missing(_ texts: [String]) -> [String] {
        texts.filter { !utf8.contains($0.utf8) }
    }

    /// Those of some texts that are in this one.
    func found(_ texts: [String]) -> [String] {
        texts.filter { utf8.contains($0.utf8) }
    }
}

extension ExposureTotal {
    /// Counted units of an experiment whose salt is its key.
    init(_ experiment: String, _ variant: String, _ units: Int, of revision: String?, reason: String = "split") {
        self.init(
            experiment: experiment, salt: experiment, variant: variant, revision: revision, reason: reason,
            isCounted: true, units: units)
    }
}
