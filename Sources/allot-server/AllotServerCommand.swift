import AllotDefinitions
import AllotExposures
import AllotServer
import ArgumentParser
import Glibc
import Hummingbird
import Logging
import Metrics
import ServiceLifecycle

/// `allot-server`
@main
struct AllotServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allot-server",
        abstract: "Serve configurations, flags and explanations over HTTP, and store exposures.",
        discussion: """
            Watches the definitions folder: a valid change is in force within two seconds, an invalid one is logged and \
            changes nothing. SIGHUP loads the folder and the signing key at once; SIGTERM and SIGINT \
            end the server when the requests under way are answered and the exposures are stored.

            EXAMPLES
              allot-server --definitions Experiments
              curl http://127.0.0.1:8080/activeconfig/user/user-42?country=DE
            """)

    @OptionGroup
    var settings: ServerSettings

    func run() async throws {
        // Until the definitions are watched, a hang-up must not end the process.
        signal(SIGHUP, SIG_IGN)
        let resolved = try ResolvedSettings(settings, environment: ProcessEnvironment.variables)
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        let logger = resolved.makeLogger()
        let server: AllotHTTPServer
        do {
            server = try AllotHTTPServer(resolved, registry: registry, logger: logger)
        } catch let error as DefinitionsError {
            throw StartFailure(error.description)
        }
        try await server.run()
    }
}

/// Why the server does not start; ArgumentParser prints it behind "Error: ".
struct StartFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
