import AllotConfiguration
import AllotCore
import AllotServing
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Answers `GET` of configurations at once, for the router's routes and for ``DirectAnswers``.
struct ConfigurationAnswers: Sendable {
    /// A path of requests for configurations.
    struct Place: Sendable {
        /// The path as the router takes it.
        let path: String
        let unit: SubjectReading.UnitPlace
        let rules: RouteRules
    }

    let user: Place
    let generic: Place
    let query: Place
    private let configurations: ConfigurationService
    private let responses: ConditionalResponse

    init(_ allot: AllotService) {
        func place(_ path: String, _ unit: SubjectReading.UnitPlace) -> Place {
            Place(path: path, unit: unit, rules: RouteRules(.get, RouterPath(path), .configuration, of: allot))
        }
        user = place("\(ServicePath.configuration)/:id", .path)
        generic = place(ServicePath.configuration, .absent)
        query = place(ServicePath.configurationByQuery, .query)
        configurations = allot.configurations
        responses = ConditionalResponse(cacheControl: configurations.lifetime.usualHeader)
    }

    var places: [Place] { [user, generic, query] }

    /// The answer to a request of which all is in its head.
    func answer(_ head: HTTPRequest, at place: Place, _ logger: Logger) -> RouteAnswer {
        place.rules.answer(head, logger) { try decide(head, at: place) }
    }

    /// The answer without the rules of the route.
    func decide(_ head: HTTPRequest, at place: Place) throws -> RouteAnswer {
        try configurations.withConfiguration(of: head.path ?? "", unit: place.unit) { try make(head, $0) }
    }

    /// The answer for a subject of any form.
    ///
    /// - Parameter sent: the subject as the client sent it.
    func decide(_ head: HTTPRequest, _ subject: Subject, sent: Subject) throws -> RouteAnswer {
        try make(head, configurations.decide(subject, sent: sent))
    }

    private func make(_ head: HTTPRequest, _ configuration: DecidedConfiguration) throws -> RouteAnswer {
        var answer = try responses.make(
            head, configuration.tag, cacheControl: configuration.ownCacheControl, boundary: configuration.boundary,
            signature: { body in try configuration.signature { Array(body.readableBytesView) } },
            {
                var body = ByteBuffer()
                configuration.write { bound, fill in
                    _ = body.writeWithUnsafeMutableBytes(minimumWritableBytes: bound, fill)
                }
                return body
            })
        if let unread = configuration.unread {
            answer.headers.append(HTTPField(name: .allotUnread, value: unread))
        }
        return answer
    }
}
