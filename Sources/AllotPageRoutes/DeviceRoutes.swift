import AllotPages
import AllotServer
import Hummingbird

/// `/device`: the values of a tester's device next to those of the definitions, for callers with the scope `override`.
struct DeviceRoutes<Context: RequestContext>: Sendable {
    let environment: RouteEnvironment<Context>

    func add(to group: RouterGroup<Context>) {
        environment.pageRoute(.get, "device", .override, on: group) { page in
            let items = try environment.reading.query(page.request, DevicePage.Item.all)
            return Response(DevicePage.make(items, page.active.plan, in: page.frame), in: page.frame)
        }
    }
}
