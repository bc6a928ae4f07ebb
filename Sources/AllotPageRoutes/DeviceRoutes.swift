import AllotConfiguration
import AllotPages
import AllotServer
import AllotServing
import HTTPTypes
import Hummingbird

/// `/device`: the values of a tester's device next to those of the definitions, for callers with the scope `override`.
struct DeviceRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    func add(to group: RouterGroup<Context>) {
        environment.pageRoute(.get, "device", .override, on: group) { page in
            let items = try environment.reading.query(page.request, DevicePage.Item.all)
            guard let text = items[DevicePage.Item.readout], !text.isEmpty else {
                return Response(DevicePage.make(items, nil, in: page.frame), in: page.frame)
            }
            let outcome: DevicePage.Outcome
            do {
                let lines = UnitPage.lines(of: items[DevicePage.Item.attributes] ?? "")
                let comparison = try DeviceComparison(
                    DeviceReadout(link: text), attributes: lines, in: page.active.plan, at: page.frame.instant)
                guard page.request.prefersPage else {
                    var response = Response.json(comparison.json)
                    response.headers[.vary] = "Accept"
                    response.headers[.xContentTypeOptions] = "nosniff"
                    return response
                }
                outcome = .comparison(comparison)
            } catch {
                guard page.request.prefersPage else { throw RequestFailure(.badRequest, "\(error)") }
                outcome = .problem("\(error)")
            }
            return Response(DevicePage.make(items, outcome, in: page.frame), in: page.frame)
        }
    }
}
