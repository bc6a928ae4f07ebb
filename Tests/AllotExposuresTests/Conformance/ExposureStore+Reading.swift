import AllotConfiguration
import Testing

@testable import AllotExposures

/// What an exposure says, in bytes: texts are equal to Swift if they only look alike.
func described(_ exposure: Exposure) -> [UInt8] {
    var bytes = Array((exposure.id.map { "id " + $0 } ?? "no id").utf8)
    ExposureFormat.ndjson.append(exposure, to: &bytes)
    return bytes
}

extension ExposureStore {
    /// All exposures of a selection after a cursor, read in pages of a number, and the cursor to go on after.
    func exposures(
        of selection: ExposureSelection = ExposureSelection(), after: Int64 = 0, limit: Int = 3
    ) async throws -> (exposures: [Exposure], cursor: Int64) {
        try await run { database in
            let last = try database.lastCursor()
            var exposures: [Exposure] = []
            var cursor = after
            while cursor < last {
                let page = try database.exposures(of: selection, after: cursor, through: last, limit: limit)
                #expect(page.cursor > cursor)
                #expect(page.cursor <= last)
                exposures += page.exposures
                cursor = page.cursor
            }
            return (exposures, last)
        }
    }

    func expect(follows model: ExposureModel) async throws {
        for isCounted in [true, false] {
            for experiment in [nil, "experiment 0", "experiment 1", "none"] {
                for salt in [nil, "other"] {
                    let selection = ExposureSelection(experiment: experiment, salt: salt, isCounted: isCounted)
                    let exposures = try await exposures(of: selection).exposures
                    #expect(exposures.map(described) == model.exposures(of: selection).map(described))
                }
            }
        }
        for experiment in ["experiment 0", "experiment 1", "experiment 2", "none"] {
            for salt in [experiment, "other", "none"] {
                let counts = try await counts(experiment: experiment, salt: salt)
                #expect(counts == model.counts(experiment: experiment, salt: salt))
                #expect(
                    try await history(experiment: experiment, salt: salt)
                        == model.history(experiment: experiment, salt: salt))
            }
        }
        for unit in Set(model.rows.map { UTF8Key($0.exposure.unit) }).sorted().prefix(5) + [UTF8Key("unknown")] {
            let own = model.rows.map(\.exposure).filter { UTF8Key($0.unit) == unit }
            let exposures = try await exposures(ofUnit: unit.text, limit: .max)
            #expect(Set(exposures.map(described)) == Set(own.map(described)))
            #expect(exposures.count == own.count)
            #expect(zip(exposures, exposures.dropFirst()).allSatisfy { $0.at >= $1.at })
            #expect(try await self.exposures(ofUnit: unit.text, limit: 1) == Array(exposures.prefix(1)))
        }
        let several = ["experiment 1", "none", "experiment 0"].map { (experiment: $0, salt: $0) }
        #expect(
            try await histories(of: several) == several.map { model.history(experiment: $0.experiment, salt: $0.salt) })
        #expect(try await totals() == model.totals())
        for experiment in [nil, "experiment 0", "none"] {
            let (own, expected) = (try await randomisations(of: experiment), model.randomisations(of: experiment))
            #expect(own.map(\.experiment) == expected.map(\.experiment))
            #expect(own.map(\.salt) == expected.map(\.salt))
            #expect(own.map(\.variants) == expected.map(\.variants))
            for (experiment, salt) in own.map({ ($0.experiment, $0.salt) }) {
                let hasWindows = try await hasWindows(experiment: experiment, salt: salt)
                #expect(hasWindows == model.hasWindows(experiment: experiment, salt: salt))
            }
            // Exposures that were replaced may count.
            #expect(zip(own, expected).allSatisfy { $0.lastReceivedAt >= $1.lastReceivedAt })
        }
    }
}
