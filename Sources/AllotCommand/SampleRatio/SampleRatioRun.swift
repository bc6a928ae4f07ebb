import AllotAnalysis
import AllotBatch
import AllotFiles
import AllotStatistics

/// One run of `allot srm`: from the command line to the results.
struct SampleRatioRun {
    let input: String
    let options: SampleRatioOptions
    let definitions: DefinitionsOptions

    func results() throws -> SampleRatioResults {
        let source = try ComparisonSource(options, definitions)
        do {
            BatchFiles(input: input, output: "-", rejects: nil).announceTyping()
            let file = try InputFile(path: input)
            let progress = ProgressBar(total: file.size, isAllowed: true)
            defer { progress.clear() }
            var rows = try CSVRows(file)
            let columns = try SampleRatioColumns(
                rows.header, fileName: rows.name, options: options, experiments: source.experimentKeys)
            try check(columns)
            var reading = try SampleRatioReading(ComparisonMaker(source, options, columns))
            try reading.read(&rows) { progress.show($0) }
            return try SampleRatioResults(reading, columns: columns, options: options)
        } catch let failure as CommandFailure {
            throw failure
        } catch let error as any CustomStringConvertible & Error {
            throw CommandFailure(error.description)
        }
    }

    /// Refuses attributes that cannot be in the file.
    private func check(_ columns: SampleRatioColumns) throws {
        guard columns.attributes == nil else { return }
        for name in options.attributes { _ = try columns.header.index(of: name, in: columns.fileName, for: "--by") }
    }
}
