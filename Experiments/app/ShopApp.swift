import AllotClient
import AllotConfiguration
import AllotSigning
import ArgumentParser
import Foundation

/// The shop's app: reads typed settings, and shows them again when a definition changes.
@main
struct ShopApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop-app",
        abstract: "Show a user's settings and every change of them, as an app would.",
        discussion: """
            EXAMPLE
              allot-server --definitions Experiments &
              shop-app user-42 country=DE
            Then change Experiments/buy-button.yaml: what the user sees changes with it. With --sheet a browser on this
            machine changes the settings of this user alone.
            """)

    @Argument(help: "The user's ID.")
    var user: String

    @Argument(help: ArgumentHelp("The user's attributes.", valueName: "name=value"))
    var attributes: [String] = []

    @Option(help: "The server's URL.")
    var server = "http://127.0.0.1:8080"

    @Option(help: ArgumentHelp("The folder in which the app stores configurations.", valueName: "folder"))
    var store: String?

    @Option(
        name: .customLong("public"),
        help: ArgumentHelp(
            "The server's public key as PEM; configurations that it has not signed are rejected.", valueName: "file"))
    var publicKey: String?

    @Option(help: ArgumentHelp("Count as this variant on this device.", valueName: "experiment=variant"))
    var pin: [String] = []

    @Flag(help: "Remove all pinned variants.")
    var unpin = false

    @Flag(help: "End after the first response.")
    var once = false

    @Flag(help: "Serve the settings sheet to browsers on this machine.")
    var sheet = false

    func validate() throws {
        if once, sheet { throw ValidationError("--once ends before a browser loads the sheet; omit one of the two") }
    }

    func run() async throws {
        guard let address = URL(string: server) else { throw ValidationError("\(server) is not a URL") }
        // Reports all wrong defaults at once, before a screen opens.
        let catalog = try AllotSettings.catalog()
        let folder = store.map { URL(fileURLWithPath: $0) }
        var options = ClientOptions.development
        options.log = { Self.report($0) }
        if let publicKey {
            options.signatures = .required(
                try PublicKeyVerifier(pem: String(contentsOf: URL(fileURLWithPath: publicKey), encoding: .utf8)))
        }
        let client = ConfigurationClient(
            server: address, store: folder.map { FileStore(folder: $0) } ?? FileStore(app: "allot-shop-app"),
            user: ConfigurationUser(user, attributes: try Self.object(attributes)), options: options)
        try override(client)

        if once {
            _ = try? await client.refresh()
            show(client.current, catalog)
            await client.exposures?.shutdown()
            return
        }
        let following = Task { await client.follow() }
        defer { following.cancel() }
        let serving: Task<Void, Never>? = sheet ? Task { await Self.serve(client, catalog, address) } : nil
        defer { serving?.cancel() }
        for await configuration in client.updates() { show(configuration, catalog) }
    }

    private static func serve(_ client: ConfigurationClient, _ catalog: SettingsCatalog, _ server: URL) async {
        let variants = [
            Experiments.BuyButton.key: Experiments.BuyButton.variants,
            Experiments.ShortCheckout.key: Experiments.ShortCheckout.variants,
        ]
        let sheet = SettingsSheet(client, catalog, variants: variants, app: "allot-shop-app", server: server)
        do {
            try await SheetServer(sheet).run { Self.warn("the settings sheet is listening on \($0)") }
        } catch {
            warn("the settings sheet is not served: \(error)")
        }
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
                    "\(text) cannot be pinned; choose one of \(names.joined(separator: ", "))")
            }
            client.override(experiment: parts[0], with: variant)
        }
    }

    private func show(_ configuration: Configuration, _ catalog: SettingsCatalog) {
        let checkout = configuration.settings(CheckoutSettings.self)
        // Reading a setting exposes the user to its experiment.
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
                guard parts.count == 2 else { throw ValidationError("\(text) does not have the form name=value") }
                return (parts[0], .string(parts[1]))
            })
    }

    private static func report(_ event: ConfigurationEvent) {
        switch event {
        case .failed, .rejected, .storeFailed, .updatesEnded: warn("\(event)")
        default: break
        }
    }

    /// Writes a line at once, even if `print` would buffer it.
    private static func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    private static func warn(_ text: String) {
        FileHandle.standardError.write(Data("shop-app: \(text)\n".utf8))
    }
}
