import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
package import AllotExposures
import AllotFiles
package import AllotGit
import AllotReports

/// The pages of a catalogue as files, for any server of files: equal input gives equal bytes.
package struct CatalogSite: Sendable {
    private let catalog: Catalog
    private let summary: ExposureSummary?
    /// The units of the present randomisations by the experiments' keys.
    private let exposures: [String: ExposureHistory]
    private let ratioLevel: Double
    /// The changes by the experiments' keys; `nil` if the definitions are in no repository.
    private var changes: [String: [FolderChanges.Change]]?

    package init(_ catalog: Catalog, counts: Counts? = nil) {
        self.catalog = catalog
        summary = counts.map { ExposureSummary($0.totals, of: catalog.plan, histories: $0.histories) }
        exposures = counts?.histories ?? [:]
        ratioLevel = catalog.plan.ratioLevel
    }

    /// Adds the changes of commits in each experiment. Returns the reason if the definitions are in no repository.
    package mutating func addHistory(from place: DefinitionsPlace, limits: DefinitionLimits) throws -> String? {
        do {
            let keys = Set(catalog.plan.experiments.map(\.key))
            changes = try FolderChanges(in: place, of: keys, limits: limits).changes
            return nil
        } catch let error as GitError { return "the pages have no history: \(error)" }
    }

    /// The counts of a store at one moment for each experiment.
    package struct Counts: Sendable {
        let totals: [ExposureTotal]
        let histories: [String: ExposureHistory]

        package init(_ store: ExposureStore, of catalog: Catalog) async throws {
            totals = try await store.totals()
            let known = Set(totals.map { UTF8Key($0.experiment) })
            let present = catalog.plan.experiments.filter { known.contains(UTF8Key($0.key)) }
            histories = try await store.histories(byExperiment: present.map { ($0.key, $0.salt) })
        }
    }

    package var files: [GeneratedFolder.File] {
        var places: [PagePlace] = CatalogIndex.allCases.map(PagePlace.index) + [.settings]
        places += catalog.plan.experiments.map { .experiment($0.key) }
        places += catalog.plan.layers.map { .layer($0.name) }
        places += catalog.plan.holdouts.map { .holdout($0.name) }
        let pages = places.compactMap { place -> GeneratedFolder.File? in
            let frame = PageFrame(ofFile: place, catalog)
            return page(place, frame).map { (PageLinks.path(place, .files), Array($0.html(in: frame).utf8)) }
        }
        return pages + [
            (PageLinks.path(.style, .files), Array(PageStyle.sheet.utf8)),
            (PageLinks.path(.icon, .files), Array(PageIcon.svg.utf8)),
        ]
    }

    private func page(_ place: PagePlace, _ frame: PageFrame) -> Page? {
        switch place {
        case .index(let index):
            OverviewPage(catalog, in: frame, index: index, exposures: summary.map(KnownExposures.counted) ?? .none).page
        case .settings: SettingsPage.make(catalog, SettingsSelection(), frame.links)
        case .experiment(let key): catalog.experiment(key).map { experiment($0, frame) }
        case .layer(let name): LayerPage.make(name, catalog, frame.links)
        case .holdout(let name): HoldoutPage.make(name, catalog, frame.links)
        // A file cannot decide; the front is an index.
        case .overview, .setting, .settingEditor, .unit, .units, .override, .patch, .exposures, .style, .icon: nil
        }
    }

    private func experiment(_ entry: CatalogEntry, _ frame: PageFrame) -> Page {
        var known = ExperimentPage.Exposures.noStore
        if let salt = entry.experiment.salt, let history = exposures[entry.key] {
            known = .read(ExperimentExposures(entry.experiment, salt: salt, history, level: ratioLevel), others: [])
        }
        return ExperimentPage.make(
            entry, known, warnings: catalog.warnings(about: entry.key), history: changes.map { $0[entry.key] ?? [] },
            in: frame)
    }

    /// Writes the files in place of those of an earlier run. Throws if the folder has other files.
    package func write(to folder: String) throws(GeneratedFolder.Failure) -> Int {
        let files = files
        try GeneratedFolder(folder, of: "allot-catalog").replace(with: files)
        return files.count
    }
}
