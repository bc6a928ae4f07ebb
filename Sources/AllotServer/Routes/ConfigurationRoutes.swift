import AllotConfiguration
import AllotServing
import HTTPTypes
import Hummingbird

/// `/activeconfig/user/{id}` and `/active_config`: the configuration of a user in MSActiveConfig's exchange format.
struct ConfigurationRoutes<Context: RequestContext>: Sendable {
    private let environment: RouteEnvironment<Context>
    private let answers: ConfigurationAnswers

    init(_ environment: RouteEnvironment<Context>) {
        self.environment = environment
        answers = ConfigurationAnswers(environment.allot)
    }

    func add(to group: RouterGroup<Context>) {
        for place in answers.places {
            environment.route(.get, place.path, .configuration, on: group) { request, context in
                guard environment.attributes != nil else { return try answers.decide(request.head, at: place).response }
                var bytes: [UInt8] = []
                let target = try environment.reading.subjects.target(request.uri.string, unit: place.unit, into: &bytes)
                let sent = target.subject(bytes)
                let subject = try await environment.completed(sent, request, context)
                return try answers.decide(request.head, subject, sent: sent).response
            }
        }
        environment.route(.post, answers.user.path, .configuration, on: group) { request, context in
            let body = try await environment.reading.json(request, limit: environment.allot.limits.bodyBytes)
            let sent = try environment.reading.subjects.typedSubject(request.uri.string, body: body)
            let subject = try await environment.completed(sent, request, context)
            return try answers.decide(request.head, subject, sent: sent).response
        }
    }
}
