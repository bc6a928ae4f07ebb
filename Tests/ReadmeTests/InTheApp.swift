import AllotClient
import Foundation

/// The settings of a screen: name, default and limits are written once, and no key is a string at the call site.
struct CheckoutScreen: SettingsSection {
    static let section = "Checkout"
    @Setting("ButtonText") var buttonText = "Buy"
    @Setting("ButtonColor", matching: "#[0-9a-f]{6}") var buttonColor = "#1f6feb"
    @Setting("Steps", in: 1...5) var steps = 3
}

/// What an app makes once, when it starts: nothing is asked for yet, and what was kept is there.
func makeClient(server: URL, folder: URL, user: String) throws -> ConfigurationClient {
    // Wrong defaults are found here, all at once.
    _ = try SettingsCatalog(CheckoutScreen.self)
    return ConfigurationClient(
        downloader: URLSessionDownloader(server: server), store: FileStore(folder: folder),
        user: ConfigurationUser(user, attributes: ["country": "DE"]),
        options: ClientOptions(activation: .whenFetched),
        exposures: ExposureReporter(
            folder: folder.appendingPathComponent("exposures"), sender: URLSessionExposureSender(server: server)))
}

/// What a screen does: it shows what is in force, and each change; the task that runs it ends it.
func show(_ client: ConfigurationClient, on screen: @Sendable (CheckoutScreen) async -> Void) async throws {
    try await client.refresh()  // at most every 12 hours, or as the server says
    for await settings in client.updates(of: CheckoutScreen.self) { await screen(settings) }
}
