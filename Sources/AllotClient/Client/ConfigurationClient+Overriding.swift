public import AllotConfiguration

import struct Foundation.Date

extension ConfigurationClient {
    /// What is overridden on this device, for all its users.
    public var overrides: LocalOverrides {
        current.overrides
    }

    /// Overrides a setting on this device until it is reset; `nil` takes the override back. It is in force at once, kept
    /// between runs, and marked in ``Configuration/source(_:_:)`` and in exposures.
    public func override(_ section: String, _ setting: String, with value: JSONValue?) {
        changeOverrides { $0.set(section, setting, value) }
    }

    /// Chooses an experiment's variant on this device until it is reset; `nil` takes the choice back.
    public func override(experiment: String, with variant: LocalOverrides.Variant?) {
        changeOverrides { $0.choose(variant, of: experiment) }
    }

    /// Changes several overrides at once.
    public func changeOverrides(_ change: (inout LocalOverrides) -> Void) {
        update { state in
            change(&state.overrides)
            if state.overrides.isEmpty {
                state.overrides.expires = nil
                records.remove(.overrides, user: nil, &state.events)
            } else {
                records.write(state.overrides.record, .overrides, user: nil, &state.events)
            }
        }
    }

    /// Takes back all overrides.
    public func resetOverrides() {
        changeOverrides { $0 = LocalOverrides() }
    }

    /// Does what a signed payload says: applies its values and variants in place of all overrides, until its time is over;
    /// or resets them.
    ///
    /// - Parameters:
    ///   - token: the text that carries it, from a link, a QR code or a launch argument.
    ///   - verifier: holds the pinned keys.
    ///   - app: this app's ID.
    ///   - device: this device's ID.
    /// - Throws: ``AllotConfiguration/SignatureError`` or ``AllotConfiguration/DevicePayloadError``; nothing is changed then.
    public func apply(token: String, verifier: any SignatureVerifier, app: String, device: String) throws {
        let payload = try DevicePayload(verifying: SignedToken(token), by: verifier)
        try payload.check(app: app, device: device, at: Int64(options.now().timeIntervalSince1970))
        changeOverrides { $0 = LocalOverrides(payload) }
    }
}

extension LocalOverrides {
    /// What a payload sets; nothing for one that resets.
    init(_ payload: DevicePayload) {
        self.init()
        guard payload.operation == .apply else { return }
        for section in payload.values.members {
            guard case .object(let settings) = section.value else { continue }
            for setting in settings.members { set(section.key, setting.key, setting.value) }
        }
        for member in payload.variants.members {
            guard case .string(let variant) = member.value else { continue }
            choose(Variant(variant), of: member.key)
        }
        expires = Date(timeIntervalSince1970: Double(payload.expires))
    }
}
