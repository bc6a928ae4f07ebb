import Allot
import AllotConfiguration
import Hummingbird

/// What all routes share.
struct RouteEnvironment<Context: RequestContext>: Sendable {
    let allot: AllotService
    let reading: RequestReading
    let authorization: Authorization
    /// What the application knows of the user behind a request.
    let attributes: AttributeSource<Context>?

    init(_ allot: AllotService, attributes: AttributeSource<Context>?) {
        self.allot = allot
        self.attributes = attributes
        reading = RequestReading(limits: allot.limits, bodies: allot.bodies)
        authorization = Authorization(tokens: allot.tokens)
    }

    /// The subject of what the client says of itself, and over it what the application knows.
    func completed(_ subject: Subject, _ request: Request, _ context: Context) async throws -> Subject {
        guard let attributes else { return subject }
        var completed = subject
        for member in try await attributes(request, context).members {
            completed.setTyped(member.key, member.value)
        }
        return completed
    }
}
