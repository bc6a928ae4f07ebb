import Allot
import AllotServer
import Hummingbird
import Logging

/// A Hummingbird application with Allot's routes next to its own.
func makeApplication(definitions folder: String = "Experiments") throws -> some ApplicationProtocol {
    let logger = Logger(label: "shop")
    let definitions = try DefinitionsReloader(folder: folder, logger: logger)  // watches the folder
    let router = Router()
    router.get("/") { _, _ in "the shop" }
    router.addAllot(AllotService(definitions.plans)) { request, _ in
        // What you know of the user takes precedence over what the client says.
        ["is_staff": .boolean(request.headers[.authorization] != nil)]
    }
    return Application(router: router, services: [definitions], logger: logger)
}
