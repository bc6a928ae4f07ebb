package import AllotConfiguration

extension ExposureStore {
    /// Counts the units of one randomisation of an experiment, all at one moment, without blocking the writer.
    ///
    /// - Throws: ``ExposureStoreError``, or `CancellationError` if the task is cancelled.
    /// - Complexity: linear in the units of the randomisation.
    public func counts(experiment: String, salt: String) async throws -> ExposureCounts {
        try await run { try $0.counts(experiment: experiment, salt: salt) }
    }

    /// Whether exposures of one randomisation have windows, so that its units are counted once in each window.
    /// Complexity: linear in the exposures of the randomisation.
    package func hasWindows(experiment: String, salt: String) async throws -> Bool {
        try await run { try $0.hasWindows(experiment: experiment, salt: salt) }
    }

    /// Counts the units of one randomisation of an experiment by the days of their first exposures, all at one moment.
    /// Complexity: linear in the units of the randomisation.
    package func history(experiment: String, salt: String) async throws -> ExposureHistory {
        try await run { try $0.histories(of: [(experiment, salt)])[0] }
    }

    /// The histories of several randomisations, in order and all at one moment.
    package func histories(of randomisations: [(experiment: String, salt: String)]) async throws -> [ExposureHistory] {
        try await run { try $0.histories(of: randomisations) }
    }

    /// The histories by the experiments' keys. An experiment without a salt has none.
    package func histories(
        byExperiment salts: [(experiment: String, salt: String?)]
    ) async throws -> [String: ExposureHistory] {
        let present = salts.compactMap { entry in entry.salt.map { (experiment: entry.experiment, salt: $0) } }
        return Dictionary(zip(present.map(\.experiment), try await histories(of: present))) { first, _ in first }
    }

    /// Counts the units of all randomisations of all experiments at one moment, without blocking the writer: by
    /// experiment, salt, variant, reason and revision, in the order of their bytes.
    ///
    /// - Throws: ``ExposureStoreError``, or `CancellationError` if the task is cancelled.
    /// - Complexity: SQLite knows the numbers; PostgreSQL reads an index, linear in the exposures.
    public func totals() async throws -> [ExposureTotal] { ExposureTotal.sums(of: try await run { try $0.totals() }) }

    /// The randomisations of an experiment, or of all, of which exposures are stored: in the order of the experiments'
    /// bytes, then of the salts'.
    ///
    /// - Throws: ``ExposureStoreError``, or `CancellationError` if the task is cancelled.
    public func randomisations(of experiment: String? = nil) async throws -> [StoredRandomisation] {
        try await run { try $0.randomisations(of: experiment) }
    }

    /// The exposures of a unit to all experiments, counted or not, the last first: at most `limit` of them.
    ///
    /// - Throws: ``ExposureStoreError``, or `CancellationError` if the task is cancelled.
    /// - Complexity: a look into an index for each randomisation.
    public func exposures(ofUnit unit: String, limit: Int = 200) async throws -> [Exposure] {
        let exposures = try await run { try $0.exposures(ofUnit: unit) }
        // Exposures of one moment are in the order of their experiments.
        let sorted = exposures.sorted { left, right in
            if left.at != right.at { return left.at > right.at }
            return [left.experiment, left.salt, left.variant].map(UTF8Key.init)
                .lexicographicallyPrecedes([right.experiment, right.salt, right.variant].map(UTF8Key.init))
        }
        return Array(sorted.prefix(limit))
    }

    /// The damage that SQLite finds in the structure of a file; empty if there is none. Throws for a database of a
    /// server. Complexity: linear in the size of the file.
    package func problems() async throws -> [String] { try await run { try $0.problems() } }

    /// The cursor of the last exposure. Reading it takes next to no time, and finds out whether the store can be read.
    package func lastCursor() async throws -> Int64 { try await run(.glance) { try $0.lastCursor() } }

    /// Exports exposures in the order of their cursors: as they are stored when the export begins.
    ///
    /// An exposure that is stored during the export is not included, and one that another replaces meanwhile is
    /// included only if its place was passed before. Both are in the next export, if that goes on after the cursor of
    /// this one.
    ///
    /// - Parameters:
    ///   - selection: Which exposures.
    ///   - format: How they are written.
    ///   - cursor: ``ExposureExport/cursor`` of the export to go on after; 0 for all exposures.
    /// - Throws: ``ExposureStoreError``, or `CancellationError` if the task is cancelled.
    public func export(
        _ selection: ExposureSelection = ExposureSelection(), as format: ExposureFormat = .csv, after cursor: Int64 = 0
    ) async throws -> ExposureExport {
        try await export(selection, as: format, after: cursor, delimiter: .comma)
    }

    /// Exports exposures with a character of choice between the fields of CSV.
    package func export(
        _ selection: ExposureSelection, as format: ExposureFormat, after cursor: Int64, delimiter: CSVDelimiter
    ) async throws -> ExposureExport {
        let last = try await lastCursor()
        guard (0...last).contains(cursor) else {
            throw ExposureStoreError.refused(
                "\(name) has no cursor \(cursor); its last is \(last): use the cursor of an export of this store"
            )
        }
        return ExposureExport(self, selection, format, delimiter, after: cursor, through: last)
    }
}
