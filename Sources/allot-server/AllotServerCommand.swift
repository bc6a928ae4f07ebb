import AllotServer
import AllotServing
import AllotTLS
import ArgumentParser
import Foundation
import Logging
import Metrics
import ProgramVersion

/// `allot-server`
@main
struct AllotServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allot-server",
        abstract: "Serve configurations, flags and explanations over HTTP, and store exposures.",
        discussion: """
            Watches the definitions folder: a valid change is applied within two seconds, an invalid one is logged and \
            changes nothing. SIGHUP loads the folder at once, and the files of tokens, keys and the certificate. \
            SIGTERM makes /health/ready answer 503 for the time of --drain. Then, and on SIGINT at once, the server \
            answers the requests in progress, stores the exposures and ends.

            EXAMPLES
              allot-server --definitions Experiments
              curl 'http://127.0.0.1:8080/activeconfig/user/user-42?country=DE'
            """,
        version: ProgramVersion.text(of: "allot-server"))

    @OptionGroup
    var settings: ServerSettings

    func run() async throws {
        // Before files are read, so that what changes meanwhile is read again.
        await HangUp.hear()
        let resolved = try ResolvedSettings(settings, environment: ProcessInfo.processInfo.environment)
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        LoggingSystem.bootstrap { ServerLogHandler(label: $0, format: resolved.logFormat, level: resolved.logLevel) }
        let logger = Logger(label: "allot-server")
        try await ServerProgram(resolved, registry: registry, logger: logger, tls: Certificates.self).run()
    }
}
