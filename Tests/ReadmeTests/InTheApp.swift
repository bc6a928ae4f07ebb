import AllotClient
import Foundation

/// The settings of one screen. Name, default and limits are written once; call sites use properties, not strings.
struct CheckoutScreen: SettingsSection {
    static let section = "Checkout"
    @Setting("ButtonText") var buttonText = "Buy"
    @Setting("ButtonColor", matching: "#[0-9a-f]{6}") var buttonColor = "#1f6feb"
    @Setting("Steps", in: 1...5) var steps = 3
}

/// Creates the client; call it once at launch. It sends no request; the last stored configuration is available at once.
func makeClient(server: URL, folder: URL, user: String) throws -> ConfigurationClient {
    // Reports all wrong defaults at once.
    _ = try SettingsCatalog(CheckoutScreen.self)
    return ConfigurationClient(
        server: server, store: FileStore(folder: folder), user: ConfigurationUser(user, attributes: ["country": "DE"]),
        options: ClientOptions(activation: .whenFetched))
}

/// Shows the current settings at once, and every update until the task is cancelled.
func show(_ client: ConfigurationClient, on screen: @Sendable (CheckoutScreen) async -> Void) async {
    // At most every 12 hours, or as the server says; nothing on the screen waits for it.
    async let refreshed = try? client.refresh()
    for await settings in client.updates(of: CheckoutScreen.self) { await screen(settings) }
    _ = await refreshed
}
