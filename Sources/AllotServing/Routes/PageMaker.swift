import AllotCore

/// Makes the pages for people, in a module that applications without pages need not build. `Sendable`.
package protocol PageMaker: Sendable {
    func routes(in allot: AllotService) -> [Route]
    func page(of failure: RequestFailure, for request: ServiceRequest, in allot: AllotService) -> HTTPAnswer
    func page(of explained: ExplainedUnit, for request: ServiceRequest, in allot: AllotService) async -> HTTPAnswer
}

package struct ExplainedUnit {
    package let active: ActivePlan
    package let id: String
    package let subject: Subject
    package let sent: Subject
    package let attributes: String
    /// The keys of the only experiments to explain; `nil` for all.
    package let experiments: [String]?
}
