import AllotClient
import Foundation

/// The settings of one screen. Name, default and limits are written once; call sites use properties, not strings.
struct CheckoutScreen: SettingsSection {
    static let section = "Checkout"
    @Setting("ButtonText") var buttonText = "Buy"
    @Setting("ButtonColor", matching: "#[0-9a-f]{6}") var buttonColor = "#1f6feb"
    @Setting("Steps", in: 1...5) var steps = 3
}

/// Shows a user's screen within two seconds of the start, and then every change of it.
///
///     first-app http://127.0.0.1:8080 user-42
@main
struct FirstApp {
    static func main() async throws {
        guard CommandLine.arguments.count == 3, let server = URL(string: CommandLine.arguments[1]) else {
            show("usage: first-app SERVER USER")
            exit(64)
        }
        // Reports all wrong defaults at once.
        _ = try SettingsCatalog(CheckoutScreen.self)
        let client = await ConfigurationClient.open(
            server: server, app: "com.example.first-app",
            user: ConfigurationUser(CommandLine.arguments[2], attributes: ["country": "DE"]),
            options: ClientOptions(activation: .whenFetched))
        show(await client.refresh(within: .seconds(2)).description)
        // Refreshes when a definition changes, and when an experiment starts or ends.
        let following = Task { await client.follow() }
        defer { following.cancel() }
        for await screen in client.updates(of: CheckoutScreen.self) {
            show("[\(screen.buttonText)] in \(screen.buttonColor), \(screen.steps) steps (\(screen.$steps.source))")
        }
    }

    static func show(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
