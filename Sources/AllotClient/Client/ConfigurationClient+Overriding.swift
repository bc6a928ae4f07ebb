public import AllotConfiguration

import struct Foundation.Date

extension ConfigurationClient {
    /// What is overridden on this device, for all its users.
    public var overrides: LocalOverrides {
        current.overrides
    }

    /// Overrides a setting on this device until it is reset, or a signed payload takes the place of all overrides; `nil` takes
    /// the override back. It is in force at once, kept between runs, and marked in ``Configuration/source(_:_:)`` and in
    /// exposures. While a signed payload is in force, it ends with that.
    ///
    /// - Returns: why it could not be kept between runs, if so.
    @discardableResult
    public func override(_ section: String, _ setting: String, with value: JSONValue?) -> StoreError? {
        changeOverrides { $0.set(section, setting, value) }
    }

    /// Chooses an experiment's variant on this device, in the same manner; `nil` takes the choice back.
    ///
    /// - Returns: why it could not be kept between runs, if so.
    @discardableResult
    public func override(experiment: String, with variant: LocalOverrides.Variant?) -> StoreError? {
        changeOverrides { $0.choose(variant, of: experiment) }
    }

    /// Changes several overrides at once.
    ///
    /// - Parameter change: may be called again when somebody else has changed them meanwhile.
    /// - Returns: why they could not be kept between runs, if so.
    @discardableResult
    public func changeOverrides(_ change: (inout LocalOverrides) -> Void) -> StoreError? {
        while true {
            // Whoever changes them may use the client.
            let before = update { $0.overrides }
            var after = before
            change(&after)
            if after.isEmpty { after.expires = nil }
            let outcome = replaceOverrides(before, with: after)
            if outcome.isReplaced { return outcome.error }
        }
    }

    private func replaceOverrides(_ before: LocalOverrides, with after: LocalOverrides) -> (
        isReplaced: Bool, error: StoreError?
    ) {
        update { state in
            guard state.overrides == before else { return (false, nil) }
            state.overrides = after
            return (true, records.keep(after, &state.events))
        }
    }

    /// Takes back all overrides.
    ///
    /// - Returns: why that could not be kept for the next run, if so.
    @discardableResult
    public func resetOverrides() -> StoreError? {
        changeOverrides { $0.reset() }
    }

    /// Does what a signed payload says: applies its values and variants in place of all overrides, until its time is over;
    /// or resets them.
    ///
    /// A chosen variant changes what ``Configuration/assignments`` and exposures say; what it looks like has to be among the
    /// payload's values, for the app does not know the definitions.
    ///
    /// - Parameters:
    ///   - token: the text that carries it, from a link, a QR code or a launch argument.
    ///   - verifier: holds the pinned keys.
    ///   - app: this app's ID.
    ///   - device: this device's ID.
    /// - Returns: why it could not be kept between runs, if so.
    /// - Throws: `AllotConfiguration/SignatureError`, `AllotConfiguration/DevicePayloadError`, or ``TokenError`` for a
    ///   payload that is older than the last; nothing is changed then.
    @discardableResult
    public func apply(token: String, verifier: any SignatureVerifier, app: String, device: String) throws -> StoreError?
    {
        let payload = try DevicePayload(verifying: SignedToken(token), by: verifier)
        let now = Int64(clamping: options.now().milliseconds / 1000)
        try payload.check(app: app, device: device, at: now)
        let outcome = update { state -> Result<StoreError?, TokenError> in
            guard payload.issued >= state.overrides.issued ?? .min else { return .failure(.olderThanTheLast) }
            state.overrides = LocalOverrides(payload)
            return .success(records.keep(state.overrides, &state.events))
        }
        return try outcome.get()
    }
}

/// Why a payload is not applied that is signed and for this device.
public enum TokenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A later payload was applied before: this one has been used up.
    case olderThanTheLast

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .olderThanTheLast: "a payload that was issued later was applied before; issue a new one"
        }
    }
}

extension LocalOverrides {
    /// What a payload sets; nothing for one that resets.
    init(_ payload: DevicePayload) {
        self.init()
        issued = payload.issued
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
