import AllotConfiguration
import AllotCore
import AllotExposures

extension AllotService {
    /// `/exposures`: the units that have seen a variant. Each is stored before it is acknowledged.
    var exposureRoutes: [Route] {
        guard let exposures else { return [] }
        let (path, names) = (ServicePath.exposures, ["counted", "experiment", "format", "salt", "since"])
        return [
            Route("POST", path, .exposures, body: .json(limit: limits.exposureBodyBytes)) { request in
                HTTPAnswer(json: try await exposures.record(request.json(), limits: limits))
            },
            // Pages have a link to it, which a browser follows with the password that it has for them.
            Route("GET", path, .explain, from: pages == nil ? .program : .person, query: names) {
                try await export($0.query, exposures)
            },
            Route("GET", "/experiments/{key}/exposures", .explain, query: ["salt"]) { request in
                HTTPAnswer(json: try await exposures.countsJSON(of: request.component(), salt: request.query["salt"]))
            },
        ]
    }

    private func export(_ query: [String: String], _ exposures: ExposureService) async throws -> HTTPAnswer {
        var selection = ExposureSelection(experiment: query["experiment"], salt: query["salt"])
        guard selection.salt == nil || selection.experiment != nil else {
            throw RequestFailure(.badRequest, "a salt belongs to an experiment; add experiment=KEY")
        }
        selection.isCounted = try choice(query, "counted", ["true": true, "false": false]) ?? true
        let format = try choice(query, "format", ["csv": ExposureFormat.csv, "ndjson": .ndjson]) ?? .csv
        guard let cursor = Int64(query["since"] ?? "0"), cursor >= 0 else {
            throw RequestFailure(.badRequest, "since is not a cursor; send the value of Allot-Cursor of an export")
        }
        let chunks = try await exposures.export(selection, as: format, after: cursor)
        let (type, ending) =
            switch format {
            case .csv: ("text/csv; charset=utf-8; header=present", "csv")
            case .ndjson: ("application/x-ndjson", "ndjson")
            }
        let name = (selection.experiment.flatMap { Salt.isValid($0) ? "\($0)-" : nil } ?? "") + "exposures"
        return HTTPAnswer(
            headers: [
                ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                ("Content-Disposition", "attachment; filename=\"\(name).\(ending)\""),
                // The cursor after which the next export begins.
                ("Allot-Cursor", String(chunks.cursor)),
            ],
            stream: AnswerStream(isEndless: false) { write in
                var isSending = false
                do {
                    for try await chunk in chunks {
                        isSending = true
                        try await write(chunk)
                        isSending = false
                    }
                } catch {
                    // The connection is closed within the body, so that no client takes a part for the whole.
                    exposures.noteBrokenExport(error, isSending: isSending)
                    throw error
                }
            })
    }

    private func choice<Value>(_ query: [String: String], _ name: String, _ values: [String: Value]) throws -> Value? {
        guard let text = query[name] else { return nil }
        guard let value = values[text] else {
            let known = values.keys.sorted().joined(separator: " or ")
            throw RequestFailure(.badRequest, "\(name) is \(QuotedText(text)); it is \(known)")
        }
        return value
    }
}
