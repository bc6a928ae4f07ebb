import AllotAnalysis
import AllotPages
public import AllotServer
import AllotServing
import HTTPTypes
public import Hummingbird
import NIOCore

extension RouterMethods {
    /// Adds Allot's routes and pages for people: `/`, `/experiments/{key}`, `/settings` and others. The method takes
    /// the place of `addAllot(_:attributes:)`. An application that has a route for `/` calls it on a group: `/ab/`, …
    ///
    /// - Parameters:
    ///   - allot: the service that answers.
    ///   - attributes: what the application knows of the user of a request.
    public func addAllotPages(_ allot: AllotService, attributes: AttributeSource<Context>? = nil) {
        addAllot(allot, attributes: attributes, pages: PageRoutes())
    }
}

/// The routes of the pages. `Sendable`.
package struct PageRoutes: PageMaker {
    /// Tries new values of settings out on the files; without it `/settings` has no form for them.
    private let proposals: SettingProposals?

    package init(proposals: SettingProposals? = nil) {
        self.proposals = proposals
    }

    package func add<Context: RequestContext>(
        to group: RouterGroup<Context>, in environment: RouteEnvironment<Context>
    ) {
        addStyle(to: group, in: environment)
        OverviewRoutes(environment: environment).add(to: group)
        SettingsRoutes(environment: environment, proposals: proposals).add(to: group)
        SettingEditorRoutes(environment: environment, proposals: proposals).add(to: group)
        ExperimentRoutes(environment: environment).add(to: group)
        UnitRoutes(environment: environment).add(to: group)
        OverrideRoutes(environment: environment).add(to: group)
        DeviceRoutes(environment: environment).add(to: group)
    }

    /// Adds `/style.css`, which all pages use.
    private func addStyle<Context: RequestContext>(
        to group: RouterGroup<Context>, in environment: RouteEnvironment<Context>
    ) {
        // Pages name the version in the query, so that a new one is fetched at once.
        let responses = ConditionalResponse(
            contentType: "text/css; charset=utf-8", cacheControl: "public, max-age=86400")
        let tag = EntityTag(revision: "style", fingerprint: PageStyle.version)
        environment.route(.get, "style.css", nil, on: group) { request, _ in
            try responses.make(request.head, tag) { ByteBuffer(string: PageStyle.sheet) }.response
        }
    }

    package func page<Context: RequestContext>(
        of failure: RequestFailure, for request: Request, depth: Int, in environment: RouteEnvironment<Context>
    ) -> Response {
        let frame = environment.frame(request, of: environment.allot.plans.current, depth: depth)
        var response = Response(
            FailurePage.make(failure.title, failure.message), in: frame, status: failure.status)
        for field in failure.headers {
            if let name = HTTPField.Name(field.name) { response.headers[name] = field.value }
        }
        return response
    }

    package func page<Context: RequestContext>(
        of explained: ExplainedUnit, for request: Request, depth: Int, in environment: RouteEnvironment<Context>
    ) async -> Response {
        let plan = explained.active.plan
        let frame = environment.frame(request, of: explained.active, depth: depth)
        var form = UnitPage.Form()
        form.id = explained.id
        form.names = plan.attributes.names
        form.attributes = explained.attributes
        let answer = UnitPage.Answer(
            explained.subject, in: plan, at: frame.instant, experiments: explained.experiments, sent: explained.sent)
        let exposures = await environment.exposures(of: answer, id: explained.id)
        return Response(UnitPage.make(form, answer, exposures: exposures, in: frame), in: frame)
    }
}

extension RequestFailure {
    /// The heading of its page.
    fileprivate var title: String {
        switch code {
        case .badRequest: "Bad request"
        case .unauthorized: "Not signed in"
        case .forbidden: "Not allowed"
        case .notFound: "Not found"
        case .methodNotAllowed, .notImplemented: "Not possible"
        case .conflict: "Not written"
        case .contentTooLarge, .unsupportedMediaType: "Not accepted"
        case .internalServerError: "A fault of the server"
        case .serviceUnavailable: "Not possible now"
        }
    }
}
