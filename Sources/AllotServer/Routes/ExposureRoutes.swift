import Allot
import AllotConfiguration
import AllotExposures
import HTTPTypes
import Hummingbird
import Metrics
import NIOCore

/// `/exposures`: which units have seen which variants, stored before it is acknowledged.
struct ExposureRoutes<Context: RequestContext>: Sendable {
    private let environment: RouteEnvironment<Context>
    private let store: ExposureStore

    init(_ environment: RouteEnvironment<Context>, _ store: ExposureStore) {
        self.environment = environment
        self.store = store
    }

    func add(to group: RouterGroup<Context>) {
        group.route(.post, ServicePath.exposures) { request, context in
            try environment.authorization.require(.exposures, request)
            return try await record(request, context)
        }
        group.route(.get, ServicePath.exposures) { request, _ in
            try environment.authorization.require(.explain, request)
            let items = try environment.reading.queryItems(request)
            guard items.count <= 1, items.allSatisfy({ $0.name == "experiment" }) else {
                throw RequestFailure(.badRequest, "the query takes nothing but one experiment=KEY")
            }
            return export(experiment: items.first?.value)
        }
        group.route(.get, "experiments/:key/exposures") { request, context in
            try environment.authorization.require(.explain, request)
            return try await counts(context.parameters.get("key") ?? "")
        }
    }

    // MARK: Storing

    private func record(_ request: Request, _ context: Context) async throws -> Response {
        guard let body = try await environment.reading.json(request, limit: environment.allot.limits.exposureBodyBytes)
        else {
            throw RequestFailure(.badRequest, #"there is no body; send {"exposures": […]}"#)
        }
        let latest = Instant(seconds: environment.allot.now().seconds + environment.allot.limits.clockTolerance)
        let batch = ExposureBatch(try items(body), environment.allot.plans.current, latest: latest)
        let outcomes: [ExposureOutcome]
        do {
            outcomes = try await store.record(batch.exposures)
        } catch ExposureStoreError.refused(let message) {
            throw RequestFailure(.badRequest, message)
        } catch ExposureStoreError.overloaded {
            throw RequestFailure(
                .serviceUnavailable, "too many exposures wait to be stored; send them again later",
                headers: [.retryAfter: "1"])
        } catch {
            context.logger.error("exposures not stored: \(error)")
            throw RequestFailure(
                .serviceUnavailable, "the exposures cannot be stored now; send them again later",
                headers: [.retryAfter: "10"])
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
        return .json(answer.canonicalBytes)
    }

    private func items(_ body: JSONValue) throws -> [JSONValue] {
        let list: JSONValue? =
            switch body {
            case .object(let object) where object.members.count == 1: object[ExposureMessage.exposures]
            case .array: body
            default: nil
            }
        guard case .array(let items)? = list else {
            throw RequestFailure(.badRequest, #"the body is no batch; send {"exposures": […]}"#)
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
        let counts = try await store.counts(experiment: key)
        let variants = experiment.variants.map { variant -> JSONValue in
            let units = counts.variants.first { UTF8Order.areEqual($0.variant, variant.key) }?.units ?? 0
            return [
                "buckets": .number(JSONNumber(variant.bucketCount)), "units": .number(JSONNumber(units)),
                "variant": .string(variant.key),
            ]
        }
        let former = counts.variants.filter { counted in
            !experiment.variants.contains { UTF8Order.areEqual($0.key, counted.variant) }
        }
        let json: JSONValue = [
            "experiment": .string(key), "units_in_several_variants": .number(JSONNumber(counts.unitsInSeveralVariants)),
            "variants": .array(
                variants
                    + former.map { ["units": .number(JSONNumber($0.units)), "variant": .string($0.variant)] }),
        ]
        return .json(json.canonicalBytes)
    }

    private func export(experiment: String?) -> Response {
        let chunks = store.export(experiment: experiment)
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
