import AllotCatalog
import AllotServing
import HTTPTypes
import Hummingbird

/// Pages with forms that are sent as POST.
extension RouteEnvironment {
    /// Adds a page with such a form, or the page that answers one.
    func formPage(
        _ method: HTTPRequest.Method, _ path: String, _ scope: AccessScope, on group: RouterGroup<Context>,
        _ make: @Sendable @escaping (PageRequest<Context>) async throws -> Page
    ) {
        let depth = RouterPath(path).count
        route(method, path, scope, on: group, from: .person) { request, context in
            if method == .post { try request.head.requireOwnPage() }
            let active = allot.plans.current
            let frame = frame(request, of: active, depth: depth)
            let page = try await make(PageRequest(request: request, context: context, active: active, frame: frame))
            var response = Response(page, in: frame)
            // With "no-referrer" browsers would hide from this server that the form is on a page of its own.
            response.headers[.referrerPolicy] = "same-origin"
            return response
        }
    }
}

extension HTTPRequest {
    /// Throws 403 if a browser sends this for a page of another origin, which has its credentials added.
    fileprivate func requireOwnPage() throws(RequestFailure) {
        let isOwn: Bool
        if let site = HTTPField.Name("Sec-Fetch-Site").flatMap({ headerFields[$0] }) {
            isOwn = site == "same-origin" || site == "none"
        } else if let origin = headerFields[.origin] {
            // Browsers that know no Sec-Fetch-Site, or trust the connection too little to send it.
            isOwn = origin.split(separator: "/").last.map(String.init)?.lowercased() == authority?.lowercased()
        } else {
            isOwn = true
        }
        if !isOwn { throw RequestFailure(.forbidden, "the form is not on a page of this server; open it here") }
    }
}
