import Allot
import AllotServer
import Hummingbird
import Logging

/// A Hummingbird application with Allot's routes next to its own.
func makeApplication(definitions folder: String = "Experiments") throws -> some ApplicationProtocol {
    let logger = Logger(label: "shop")
    let allot = AllotService(try DefinitionsReloader(folder: folder, logger: logger))
    let router = Router()
    router.get("/") { _, _ in "the shop" }
    router.addAllot(allot) { request, _ in
        // What you know of the user takes precedence over what the client says.
        ["is_staff": .boolean(request.headers[.authorization] != nil)]
    }
    return Application(router: router, services: [allot], logger: logger)
}
