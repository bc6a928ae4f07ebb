import AllotPages
import AllotServing

extension AllotService {
    /// `/device`: the values of a tester's device next to those of the definitions, for callers with the scope
    /// `override`.
    var devicePage: Route {
        pageRoute("/device", .override, query: DevicePage.Item.all) { page in
            page.answer(DevicePage.make(page.request.query, page.active.plan, in: page.frame))
        }
    }
}
