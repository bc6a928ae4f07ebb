import AllotConfiguration
import AllotDefinitions
import AllotExposures
import AllotPageRoutes
import AllotPostgreSQL
import AllotServer
import AllotServing
import AllotTLS
import ArgumentParser
import CommandLineProgram
import Foundation
import Logging
import Metrics

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

    @OptionGroup var settings: ServerSettings

    static func main() async {
        do {
            try CommandLineArguments.check()
            let arguments = CommandLineArguments.withEmptyValues(CommandLine.arguments.dropFirst())
            var command = try await asyncParseAsRoot(arguments)
            if let server = command as? Self { try await server.run() } else { try command.run() }
        } catch {
            end(after: error) { failure in
                guard case DefinitionsError.invalid(let problems) = failure else {
                    return "allot-server: \(PrintableText(lines: "\(failure)"))"
                }
                // With a line for each problem, as `allot check` prints them.
                let summary = DefinitionProblem.summary(of: problems, until: "nothing is served")
                return "\(failure)\nallot-server: \(summary)"
            }
        }
    }

    func run() async throws {
        // Before files are read, so that what changes meanwhile is read again.
        await HangUp.hear()
        let environment = ProcessInfo.processInfo.environment
        let program: ServerProgram.Settings
        let log: (level: Logger.Level, format: ServerLogHandler.Format)
        do {
            let lookup = SettingLookup(environment: environment)
            program = try settings.program(lookup)
            log = try settings.log(lookup)
        } catch {
            // Whatever gives it, a wrong setting stays wrong: a service manager need not try again.
            throw ValidationError("\(error)")
        }
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        LoggingSystem.bootstrap { ServerLogHandler(label: $0, format: log.format, level: log.level) }
        let logger = Logger(label: "allot-server")
        let proposals = ChangeProposals(
            folder: program.definitions, limits: program.limits, mayWrite: program.allowsEditing)
        try await ServerProgram(
            program, environment: environment, registry: registry, logger: logger, tls: Certificates.self,
            pages: PageRoutes(proposals: proposals),
            opener: { location throws(ExposureStoreError) in try ExposureStore(location: location) }
        ).run()
    }
}
