import AllotCore
import AllotExposures
import AllotPageRoutes
import AllotServer
import Hummingbird
import HummingbirdTesting
import Logging
import TestSupport
import Testing

extension TestedRoutes {
    /// Sends requests to routes with a store of their own, or with that of a folder.
    static func testExposures(
        _ plan: Plan? = nil, clock: SimulatedClock = SimulatedClock(), in folder: TemporaryFolder? = nil,
        proposals: ChangeProposals? = nil,
        _ change: (inout AllotService) throws -> Void = { _ in },
        _ body: @Sendable (any TestClientProtocol, AllotService) async throws -> Void
    ) async throws {
        let folder = try folder ?? TemporaryFolder()
        let store = try ExposureStore(folder.path("exposures.sqlite"))
        var routes = try TestedRoutes(plan, clock: clock)
        routes.allot.exposures = ExposureService(store, plans: routes.allot.plans, logger: Logger(label: "tests"))
        routes.proposals = proposals
        try change(&routes.allot)
        let allot = routes.allot
        try await routes.test { try await body($0, allot) }
        await store.shutdown()
        withExtendedLifetime(folder) {}
    }
}

/// Events as clients send them.
enum Event {
    static let at = "2026-11-21T11:00:00Z"

    /// - Parameter members: further members, each with a comma in front.
    static func text(
        _ unit: String, _ variant: String = "green", of experiment: String = "button", at: String = at,
        and members: String = ""
    ) -> String {
        #"{"unit": "\#(unit)", "experiment": "\#(experiment)", "variant": "\#(variant)", "at": "\#(at)"\#(members)}"#
    }

    static func batch(_ events: [String]) -> String {
        #"{"exposures": ["# + events.joined(separator: ", ") + "]}"
    }
}

extension TestClientProtocol {
    /// Sends events, of which all are stored.
    func expose(_ events: String...) async throws {
        let response = try await post("/exposures", Event.batch(events))
        #expect(response.text.contains(#""errors":[]"#), "\(response.text)")
    }

    /// The rows of an export, as dictionaries.
    func rows(_ query: String = "") async throws -> [[String: String]] {
        let lines = try await get("/exposures" + query).text.split(separator: "\n")
        let names = (lines.first ?? "").split(separator: ",").map(String.init)
        return lines.dropFirst().map { line in
            let fields = line.split(separator: ",", maxSplits: names.count - 1, omittingEmptySubsequences: false)
            return Dictionary(uniqueKeysWithValues: zip(names, fields.map(String.init)))
        }
    }
}
