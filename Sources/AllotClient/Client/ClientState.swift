import AllotConfiguration

import struct Foundation.Date

/// What a client knows, behind its lock.
struct ClientState: Sendable {
    /// The user in force.
    var user: ConfigurationUser { didSet { isChanged = true } }
    /// What is in force, before overrides.
    var active = ActiveConfiguration.none { didSet { isChanged = true } }
    /// What was fetched for the user in force and is not in force yet.
    var fetched: StoredConfiguration?
    /// What is set on this device.
    var overrides = LocalOverrides() { didSet { isChanged = true } }
    /// Whether another snapshot has to come into force.
    var isChanged = false
    /// When the server may be asked again for the user in force.
    var schedule = FetchSchedule()
    /// The requests under way.
    var flights: [ConfigurationUser: RequestInFlight] = [:]
    /// The snapshot that is to come into force, and in what it differs, where somebody has needed them already.
    var next: (configuration: Configuration, change: ConfigurationChange)?
    /// What has happened, to be told in this order when the lock is free.
    var events: [ConfigurationEvent] = []
}

/// A configuration that is in force, before overrides.
struct ActiveConfiguration: Sendable {
    /// The values and `meta`.
    let document: ConfigurationDocument
    /// The record that it comes from; `nil` for one that no server gave.
    var stored: StoredConfiguration?
    let origin: ConfigurationOrigin
    /// Whether it is that of no user, for want of the user's own.
    let isGeneric: Bool

    init(_ document: ConfigurationDocument, origin: ConfigurationOrigin) {
        self.document = document
        self.origin = origin
        stored = nil
        isGeneric = false
    }

    init(_ stored: StoredConfiguration, isGeneric: Bool = false) {
        document = stored.document
        self.stored = stored
        origin = stored.origin
        self.isGeneric = isGeneric
    }

    /// The configuration without settings.
    static let none = ActiveConfiguration(ConfigurationDocument(sections: [:], meta: [:]), origin: .none)
}

extension ClientState {
    /// The last answer of the server for the user in force.
    var latest: StoredConfiguration? {
        fetched ?? (active.isGeneric ? nil : active.stored)
    }

    /// The snapshot of what is in force.
    func snapshot(recorder: (any ExposureRecording)?) -> Configuration {
        snapshot(of: active, recorder: recorder)
    }

    /// The snapshot that a configuration would be in force as.
    func snapshot(of active: ActiveConfiguration, recorder: (any ExposureRecording)?) -> Configuration {
        Configuration(
            active.document, user: user, origin: active.origin, fetchedAt: active.stored?.fetchedAt,
            isGeneric: active.isGeneric, decidedFor: active.stored?.attributes, overrides: overrides,
            recorder: recorder)
    }

    /// Takes the events that are to be told.
    mutating func takeEvents() -> [ConfigurationEvent] {
        defer { events = [] }
        return events
    }
}
