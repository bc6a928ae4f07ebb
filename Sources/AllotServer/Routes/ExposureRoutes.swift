import AllotConfiguration
import AllotCore
import AllotExposures
import AllotServing
import HTTPTypes
import Hummingbird
import NIOCore

/// `/exposures`: the units that have seen a variant. Each is stored before it is acknowledged.
struct ExposureRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    let exposures: ExposureService

    func add(to group: RouterGroup<Context>) {
        environment.route(.post, ServicePath.exposures, .exposures, on: group) { request, _ in
            let limits = environment.allot.limits
            return try await environment.reading.json(request, limit: limits.exposureBodyBytes) { body in
                .json(try await exposures.record(body, limits: limits))
            }
        }
        environment.route(.get, ServicePath.exposures, .explain, on: group) { request, _ in
            try await export(environment.reading.query(request, ["counted", "experiment", "format", "salt", "since"]))
        }
        environment.route(.get, "experiments/:key/exposures", .explain, on: group) { request, context in
            let query = try environment.reading.query(request, ["salt"])
            let key = try environment.reading.pathComponent("key", context)
            return .json(try await exposures.countsJSON(of: key, salt: query["salt"]))
        }
    }

    private func export(_ query: [String: String]) async throws -> Response {
        var selection = ExposureSelection(experiment: query["experiment"], salt: query["salt"])
        guard selection.salt == nil || selection.experiment != nil else {
            throw RequestFailure(.badRequest, "a salt belongs to an experiment; add experiment=KEY")
        }
        selection.isCounted = try choice(query, "counted", ["true": true, "false": false]) ?? true
        let format = try choice(query, "format", ["csv": ExposureFormat.csv, "ndjson": .ndjson]) ?? .csv
        guard let cursor = Int64(query["since"] ?? "0"), cursor >= 0 else {
            throw RequestFailure(
                .badRequest, "since is not a cursor; send the value of \(HTTPField.Name.allotCursor) of an export")
        }
        let chunks = try await exposures.export(selection, as: format, after: cursor)
        let (type, ending) =
            switch format {
            case .csv: ("text/csv; charset=utf-8; header=present", "csv")
            case .ndjson: ("application/x-ndjson", "ndjson")
            }
        return Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                .contentDisposition: "attachment; filename=\"exposures.\(ending)\"",
                .allotCursor: String(chunks.cursor),
            ],
            body: ResponseBody { writer in
                var isSending = false
                do {
                    for try await chunk in chunks {
                        isSending = true
                        try await writer.write(ByteBuffer(bytes: chunk))
                        isSending = false
                    }
                } catch {
                    // The connection is closed within the body, so that no client takes a part for the whole.
                    exposures.noteBrokenExport(error, isSending: isSending)
                    throw error
                }
                try await writer.finish(nil)
            })
    }

    private func choice<Value>(
        _ query: [String: String], _ name: String, _ values: [String: Value]
    ) throws -> Value? {
        guard let text = query[name] else { return nil }
        guard let value = values[text] else {
            let known = values.keys.sorted().joined(separator: " or ")
            throw RequestFailure(.badRequest, "\(name) is \(QuotedText(text)); it is \(known)")
        }
        return value
    }
}
