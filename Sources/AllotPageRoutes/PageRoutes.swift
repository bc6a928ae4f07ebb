import AllotConfiguration
import AllotPages
import AllotReports
import AllotServing

package struct PageRoutes: PageMaker {
    /// Tries changes out on the files; without it no page has a form for one.
    private let proposals: ChangeProposals?
    package init(proposals: ChangeProposals? = nil) { self.proposals = proposals }

    package func routes(in allot: AllotService) -> [Route] {
        var routes = assets + OverviewRoutes(allot: allot).routes
        routes += allot.settingPages(proposals) + allot.settingEditorPages(proposals)
        routes += ExperimentRoutes(allot: allot, proposals: proposals).routes + allot.unitPages
        return routes + allot.overridePages + [allot.devicePage]
    }

    /// `/style.css` and `/favicon.svg`, which all pages use.
    private var assets: [Route] {
        [
            ("/style.css", "text/css; charset=utf-8", PageStyle.sheet), ("/favicon.svg", "image/svg+xml", PageIcon.svg),
        ].map { path, type, text in
            let bytes = Array(text.utf8)
            let tag = EntityTag(revision: "asset", fingerprint: FNV1a.hash64(bytes).hexadecimal)
            return Route("GET", path, nil) { request in
                // Pages name the version of the stylesheet in the query, so that a new one is fetched at once.
                try HTTPAnswer(to: request, tag, type: type, cacheControl: "public, max-age=86400") { bytes }
            }
        }
    }

    package func page(of failure: RequestFailure, for request: ServiceRequest, in allot: AllotService) -> HTTPAnswer {
        let isReader = allot.isReader(request)
        let page = PageRequest(request, in: allot, isReader: isReader)
        var near: [NearestPages.Entry] = []
        if failure.code == .notFound, isReader {
            let setting = request.query["setting"].map { [$0] } ?? []
            near = NearestPages(page.active.plan).entries(near: request.parts + setting)
        }
        var answer = page.answer(
            FailurePage.make(failure.title, failure.message, near: near, page.links), status: failure.code.rawValue)
        answer.headers += failure.headers
        return answer
    }

    package func page(
        of explained: ExplainedUnit, for request: ServiceRequest, in allot: AllotService
    ) async -> HTTPAnswer {
        let plan = explained.active.plan
        let page = PageRequest(request, in: allot, of: explained.active)
        var form = UnitPage.Form()
        form.id = explained.id
        form.names = plan.attributes.names
        form.attributes = explained.attributes
        let answer = UnitPage.Answer(
            explained.subject, in: plan, at: page.frame.instant, experiments: explained.experiments,
            sent: explained.sent)
        let exposures = await allot.storedExposures(of: answer, id: explained.id)
        return page.answer(UnitPage.make(form, answer, exposures: exposures, in: page.frame))
    }
}

extension RequestFailure {
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
