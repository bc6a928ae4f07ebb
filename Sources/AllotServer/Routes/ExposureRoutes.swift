import Allot
import AllotConfiguration
import AllotExposures
import AllotServing
import HTTPTypes
import Hummingbird
import Metrics
import NIOCore

/// `/exposures`: the units that have seen a variant. Each is stored before it is acknowledged.
struct ExposureRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>
    let store: ExposureStore

    func add(to group: RouterGroup<Context>) {
        environment.route(.post, ServicePath.exposures, .exposures, on: group, record)
        environment.route(.get, ServicePath.exposures, .explain, on: group) { request, _ in
            var bytes: [UInt8] = []
            let target = try environment.reading.subjects.target(
                request.uri.string, reserved: "experiment", into: &bytes)
            guard target.attributes.isEmpty, target.reserved.count <= 1 else {
                throw RequestFailure(.badRequest, "the query takes nothing but one experiment=KEY")
            }
            return try await export(
                experiment: target.reserved.first.map { String(decoding: bytes[$0], as: UTF8.self) })
        }
        environment.route(.get, "experiments/:key/exposures", .explain, on: group) { _, context in
            try await counts(context.parameters.get("key") ?? "")
        }
    }

    // MARK: Storing

    private func record(_ request: Request, _ context: Context) async throws -> Response {
        // Pages of any origin can send other types without asking, and a server on a loopback address trusts callers.
        guard ContentNegotiation.isJSON(request.headers[.contentType]) else {
            throw RequestFailure(
                .unsupportedMediaType, "the body is not JSON; send it with Content-Type: application/json")
        }
        guard let body = try await environment.reading.json(request, limit: environment.allot.limits.exposureBodyBytes)
        else {
            throw RequestFailure(.badRequest, #"there is no body; send {"exposures": […]}"#)
        }
        let latest = Instant(seconds: environment.allot.now().seconds + environment.allot.limits.clockTolerance)
        let batch = ExposureBatch(try items(body), environment.allot.plans.current, latest: latest)
        let outcomes: [ExposureOutcome]
        do {
            outcomes = try await store.record(checked: batch.exposures)
        } catch .overloaded {
            throw RequestFailure(
                .serviceUnavailable, "too many exposures wait to be stored; send them again later",
                headers: [("Retry-After", "1")])
        } catch {
            context.logger.error("exposures not stored: \(error)")
            throw RequestFailure(
                .serviceUnavailable, "the exposures cannot be stored now; send them again later",
                headers: [("Retry-After", "10")])
        }
        let stored = outcomes.count { $0 == .stored }
        count("stored", stored)
        count("duplicate", outcomes.count - stored)
        count("rejected", batch.failures.count)
        let answer: JSONValue = [
            ExposureMessage.Answer.duplicates: .number(JSONNumber(outcomes.count - stored)),
            ExposureMessage.Answer.errors: .array(
                batch.failures.map {
                    [
                        ExposureMessage.Answer.error: .string($0.message),
                        ExposureMessage.Answer.index: .number(JSONNumber($0.index)),
                    ]
                }),
            ExposureMessage.Answer.stored: .number(JSONNumber(stored)),
        ]
        return .json(answer)
    }

    private func items(_ body: JSONValue) throws -> [JSONValue] {
        let list: JSONValue? =
            switch body {
            case .object(let object) where object.members.count == 1: object[ExposureMessage.exposures]
            case .array: body
            default: nil
            }
        guard case .array(let items)? = list else {
            throw RequestFailure(.badRequest, #"the body is not a batch; send {"exposures": […]}"#)
        }
        guard items.count <= environment.allot.limits.exposureCount else {
            throw RequestFailure(
                .contentTooLarge,
                "there are more than \(environment.allot.limits.exposureCount) exposures; send fewer at once")
        }
        return items
    }

    private func count(_ outcome: String, _ count: Int) {
        guard count > 0 else { return }
        Counter(label: MetricName.exposures, dimensions: [("outcome", outcome)]).increment(by: count)
    }

    // MARK: Reading

    private func counts(_ key: String) async throws -> Response {
        guard let experiment = environment.allot.plans.current.experiment(key) else {
            throw RequestFailure(.notFound, "there is no experiment \(QuotedText(key))")
        }
        let counts = try await store.counts(experiment: key, salt: experiment.salt.text)
        let units = Dictionary(counts.unitsByVariant.map { (UTF8Key($0.variant), $0.units) }) { first, _ in first }
        let known = Set(experiment.variants.map { UTF8Key($0.key) })
        var variants = experiment.variants.map { variant -> JSONValue in
            [
                "buckets": .number(JSONNumber(variant.bucketCount)),
                "units": .number(JSONNumber(units[UTF8Key(variant.key)] ?? 0)), "variant": .string(variant.key),
            ]
        }
        for former in counts.unitsByVariant where !known.contains(UTF8Key(former.variant)) {
            variants.append(["units": .number(JSONNumber(former.units)), "variant": .string(former.variant)])
        }
        let json: JSONValue = [
            "experiment": .string(key), "units_in_several_variants": .number(JSONNumber(counts.unitsInSeveralVariants)),
            "variants": .array(variants),
        ]
        return .json(json)
    }

    private func export(experiment: String?) async throws -> Response {
        let chunks = try await store.export(ExposureSelection(experiment: experiment))
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff", .contentDisposition: "attachment; filename=\"exposures.csv\"",
            ],
            body: ResponseBody { writer in
                for try await chunk in chunks { try await writer.write(ByteBuffer(bytes: chunk)) }
                try await writer.finish(nil)
            })
    }
}
