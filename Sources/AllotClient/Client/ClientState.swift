import AllotConfiguration

import struct Foundation.Date

struct ClientState: Sendable {
    var user: ConfigurationUser { didSet { isChanged = true } }
    var active = ActiveConfiguration.none { didSet { isChanged = true } }
    var fetched: StoredConfiguration?
    /// Whether the latest response could be stored. If not, the next run of the app must ask for it.
    var isLatestStored = true
    var overrides = LocalOverrides() { didSet { isChanged = true } }
    var files: ConfigurationFiles?
    /// Whether the snapshot must be replaced.
    var isChanged = false
    /// When the server may be asked again for the current user.
    var schedule = FetchSchedule()
    var requests: [ConfigurationUser: RequestInFlight] = [:]
    /// The next snapshot and how it differs, if they were needed already.
    var next: (configuration: Configuration, change: ConfigurationChange)?
    /// Events to send, in this order, once the lock is free.
    var events: [ConfigurationEvent] = []
}

struct ActiveConfiguration: Sendable {
    let document: ConfigurationDocument
    let stored: StoredConfiguration?
    let provenance: Provenance

    init(_ document: ConfigurationDocument, origin: ConfigurationOrigin) {
        self.document = document
        stored = nil
        provenance = Provenance(origin: origin)
    }

    init(_ stored: StoredConfiguration, isGeneric: Bool = false) {
        document = stored.document
        self.stored = stored
        provenance = Provenance(
            origin: stored.origin, fetchedAt: stored.fetchedAt, isGeneric: isGeneric, attributes: stored.attributes)
    }

    static let none = ActiveConfiguration(ConfigurationDocument(sections: [:], meta: [:]), origin: .none)
}

extension ClientState {
    var latest: StoredConfiguration? { fetched ?? (active.provenance.isGeneric ? nil : active.stored) }

    func snapshot(of other: ActiveConfiguration? = nil, recorder: (any ExposureRecording)?) -> Configuration {
        let active = other ?? active
        return Configuration(
            storage: ConfigurationStorage(
                active.document, user: user, active.provenance, overrides: overrides, recorder: recorder, files: files))
    }

    mutating func takeEvents() -> [ConfigurationEvent] {
        defer { events = [] }
        return events
    }
}
