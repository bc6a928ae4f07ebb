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
                return Response(DevicePage.make(items, in: page.frame), in: page.frame)
            }
            do {
                let lines = UnitPage.lines(of: items[DevicePage.Item.attributes] ?? "")
                let comparison = try DeviceComparison(
                    DeviceReadout(link: text), attributes: lines, in: page.active.plan, at: page.frame.instant)
                if page.request.prefersPage {
                    return Response(DevicePage.make(items, comparison, in: page.frame), in: page.frame)
                }
                var response = Response.json(comparison.json)
                response.headers[.vary] = "Accept"
                response.headers[.xContentTypeOptions] = "nosniff"
                return response
            } catch {
                guard page.request.prefersPage else { throw RequestFailure(.badRequest, "\(error)") }
                return Response(DevicePage.make(items, problem: "\(error)", in: page.frame), in: page.frame)
            }
        }
    }
}
