import AllotConfiguration

extension AllotService {
    /// `/activeconfig/user/{id}` and `/active_config`: the configuration of a user in MSActiveConfig's exchange format.
    func configurationRoutes(_ answers: ConfigurationAnswers) -> [Route] {
        func route(_ path: String, _ unit: SubjectReading.UnitPlace) -> Route {
            let complete: Route.Handler = { request in
                var bytes: [UInt8] = []
                let sent = try subjects.target(request.target, unit: unit, into: &bytes).subject(bytes)
                return try answers.answer(request, for: try await request.completing(sent), sent: sent)
            }
            return Route("GET", path, .configuration, direct: { try answers.answer($0, unit: unit) }, complete)
        }
        let user = "\(ServicePath.configuration)/{id}"
        let typed = Route("POST", user, .configuration, body: .json(limit: limits.bodyBytes)) { request in
            let sent = try subjects.typedSubject(request)
            return try answers.answer(request, for: try await request.completing(sent), sent: sent)
        }
        return [
            route(user, .path), route(ServicePath.configuration, .absent),
            route(ServicePath.configurationByQuery, .query), typed,
        ]
    }
}
