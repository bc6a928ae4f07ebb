public import AllotServer
public import AllotServing
public import Hummingbird

extension RouterMethods {
    /// Adds Allot's routes and pages for people: `/`, `/experiments/{key}`, `/settings` and others. The method takes
    /// the place of `addAllot(_:attributes:)`. An application that has a route for `/` calls it on a group: `/ab/`, …
    public func addAllotPages(_ allot: AllotService, attributes: AttributeSource<Context>? = nil) {
        var allot = allot
        allot.pages = PageRoutes()
        addAllot(allot, attributes: attributes)
    }
}
