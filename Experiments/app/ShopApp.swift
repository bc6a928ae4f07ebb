import AllotClient
import AllotConfiguration
import AllotSigning
import ArgumentParser
import Foundation

/// An app's side of the shop: reads typed settings, and shows them anew when a definition changes.
@main
struct ShopApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop-app",
        abstract: "Show a user's settings, and each change of them, as an app would.",
        discussion: """
            EXAMPLE
              allot-server --definitions Experiments &
              shop-app user-42 country=DE
            Then change Experiments/buy-button.yaml: what the user sees changes with it.
            """)

    @Argument(help: "The user's ID.")
    var user: String

    @Argument(help: ArgumentHelp("What else is known of the user.", valueName: "name=value"))
    var attributes: [String] = []

    @Option(help: "Where the server is.")
    var server = "http://127.0.0.1:8080"

    @Option(help: ArgumentHelp("Where the app keeps what it was sent.", valueName: "folder"))
    var store: String?

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp(
            "The server's public key, PEM: configurations that it did not sign are refused.", valueName: "file"))
    var publicKey: String?

    @Option(help: ArgumentHelp("Count as this variant on this device.", valueName: "experiment=variant"))
    var pin: [String] = []

    @Flag(help: "Take back all that was pinned.")
    var unpin = false

    @Flag(help: "End after the first answer.")
    var once = false

    func run() async throws {
        guard let address = URL(string: server) else { throw ValidationError("\(server) is not a URL") }
        // Wrong defaults are found here, all at once, and not when a screen opens.
        let catalog = try AllotSettings.catalog()
        let folder = store.map { URL(fileURLWithPath: $0) }
        let exposures = ExposureReporter(
            folder: folder?.appendingPathComponent("exposures"), sender: URLSessionExposureSender(server: address))
        var options = ClientOptions.development
        if let publicKey {
            options.signatures = .required(
                try PublicKeyVerifier(pem: String(contentsOf: URL(fileURLWithPath: publicKey), encoding: .utf8)))
        }
        let client = ConfigurationClient(
            downloader: URLSessionDownloader(server: address),
            store: folder.map { FileStore(folder: $0) } ?? FileStore(app: "allot-shop-app"),
            user: ConfigurationUser(user, attributes: try Self.object(attributes)), options: options,
            exposures: exposures)
        try override(client)

        let telling = Task { for await event in client.events { Self.tell(event) } }
        defer { telling.cancel() }
        if once {
            _ = try? await client.refresh()
            show(client.current, catalog)
            await exposures.shutdown()
            return
        }
        let following = Task { await client.follow(URLSessionUpdateSource(server: address)) }
        defer { following.cancel() }
        for await configuration in client.updates() { show(configuration, catalog) }
    }

    private func override(_ client: ConfigurationClient) throws {
        if unpin { client.resetOverrides() }
        for text in pin {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[0] == Experiments.BuyButton.key,
                let variant = Experiments.BuyButton.variants.first(where: { $0.variant == parts[1] })
            else {
                let names = Experiments.BuyButton.variants.map { "\(Experiments.BuyButton.key)=\($0.variant)" }
                throw ValidationError(
                    "there is nothing to pin called \(text); there is \(names.joined(separator: ", "))")
            }
            client.override(experiment: parts[0], with: variant)
        }
    }

    private func show(_ configuration: Configuration, _ catalog: SettingsCatalog) {
        let checkout = configuration.settings(CheckoutSettings.self)
        // Reading is what makes the user part of an experiment.
        Self.say(
            "[\(checkout.buttonText)] in \(checkout.buttonColor), \(checkout.steps) steps "
                + "(\(checkout.$buttonColor.source))"
        )
        for assignment in configuration.assignments {
            Self.say("  \(assignment.experiment): \(assignment.variant) (\(assignment.reason))")
        }
        for modification in configuration.modifications(of: catalog) { Self.say("  \(modification)") }
        for refusal in catalog.check(configuration).refusals { Self.say("  refused: \(refusal)") }
    }

    private static func object(_ attributes: [String]) throws -> JSONObject {
        try JSONObject(
            attributes.map { text in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2 else { throw ValidationError("\(text) is not of the form name=value") }
                return (parts[0], .string(parts[1]))
            })
    }

    private static func tell(_ event: ConfigurationEvent) {
        switch event {
        case .failed(_, let error, let delay):
            warn("\(error)\(delay.map { "; asking again in \(text($0))" } ?? "")")
        case .rejected(_, let rejection): warn("refused: \(rejection)")
        case .storeFailed(let error): warn("\(error)")
        case .updatesEnded(let error, let delay):
            warn("no news of changes\(error.map { ": \($0)" } ?? ""); asking again in \(text(delay))")
        default: break
        }
    }

    private static func text(_ delay: Duration) -> String {
        "\(Int((delay / .seconds(1)).rounded(.up))) s"
    }

    /// Writes a line at once, also where `print` would keep it for later.
    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    private static func warn(_ text: String) {
        FileHandle.standardError.write(Data("shop-app: \(text)\n".utf8))
    }
}
