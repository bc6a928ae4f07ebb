import AllotClient
import Foundation

/// The ID of this installation, made at the first start and kept. It is not made of anything that identifies a person.
func installationID(in defaults: UserDefaults = .standard) -> String {
    if let known = defaults.string(forKey: "device_id") { return known }
    let made = UUID().uuidString
    defaults.set(made, forKey: "device_id")
    return made
}

/// A visitor on a device: after log-in with an ID, before it and after log-out without one.
func visitor(_ id: String? = nil, on device: String) -> ConfigurationUser {
    ConfigurationUser(id, attributes: ["device_id": .string(device)])
}

/// The first screen, which is shown before anyone logs in.
func welcomeSteps(_ client: ConfigurationClient) -> Int {
    client.current.integer("Welcome", "Steps") ?? 3
}

/// Logs a user in, or out without an ID. Until the server has answered, the screen shows the generic configuration.
func change(_ client: ConfigurationClient, to id: String?, on device: String) async throws {
    client.setUser(visitor(id, on: device))
    try await client.fetchAndActivate()
}
