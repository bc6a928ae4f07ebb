import Logging
import ServiceLifecycle
import Testing

@testable import AllotServer
@testable import AllotServing

/// The one service of an application with Allot's routes.
@Suite(.mayHang) struct AllotServiceTests {
    /// A service that ends with a new plan.
    private struct NewPlan: Service {
        let plans: PlanStore
        let revision: String

        func run() async throws {
            for await change in plans.changes() where change.active.plan.revision != revision { return }
        }
    }

    @Test("The service watches its definitions, and closes its store of exposures at the end")
    func definitionsAndExposures() async throws {
        let folder = try ServerFolder()
        let logger = Logger(label: "test", factory: { _ in LogRecord(.info) })
        let definitions = try DefinitionsReloader(folder: folder.definitions, logger: logger)
        let revision = definitions.plans.current.plan.revision
        let exposures = ExposureService(folder.path("exposures.sqlite"), plans: definitions.plans, logger: logger)
        var allot = AllotService(definitions)
        allot.exposures = exposures
        try folder.write("status: running\nvariants: [{ key: a }]\n", to: "definitions/next.yaml")
        let change = NewPlan(plans: definitions.plans, revision: revision)
        let configuration = ServiceGroupConfiguration(
            services: [
                .init(service: allot),
                .init(service: change, successTerminationBehavior: .gracefullyShutdownGroup),
            ], logger: logger)
        try await ServiceGroup(configuration: configuration).run()
        #expect(definitions.plans.current.plan.revision != revision)
        #expect(exposures.store == nil)
    }
}
