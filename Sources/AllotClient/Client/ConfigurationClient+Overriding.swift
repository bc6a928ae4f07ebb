public import AllotConfiguration

import struct Foundation.Date

extension ConfigurationClient {
    /// The overrides on this device, for all users.
    public var overrides: LocalOverrides { current.overrides }

    /// Overrides a setting on this device; `nil` removes the override.
    ///
    /// The override takes effect at once, is kept between runs, and is marked in ``Configuration/source(_:_:)`` and in
    /// exposures. It ends when it is reset, or when a signed payload replaces all overrides. While a signed payload is
    /// effective, it ends with the payload.
    ///
    /// - Returns: the reason if it could not be stored for the next run.
    @discardableResult
    public func override(_ section: String, _ setting: String, with value: JSONValue?) -> StoreError? {
        changeOverrides { $0.set(section, setting, value) }
    }

    /// Chooses an experiment's variant on this device, in the same way; `nil` removes the choice.
    @discardableResult
    public func override(experiment: String, with variant: LocalOverrides.Variant?) -> StoreError? {
        changeOverrides { $0.choose(variant, of: experiment) }
    }

    /// Changes several overrides at once; `change` is called again if another thread has changed them meanwhile.
    @discardableResult
    public func changeOverrides(_ change: (inout LocalOverrides) -> Void) -> StoreError? {
        while true {
            // Outside the lock: `change` may use the client.
            let before = update { $0.overrides }
            var after = before
            change(&after)
            if after.isEmpty { after.expires = nil }
            let outcome = update { [after] state -> StoreError?? in
                guard state.overrides == before else { return nil }
                state.overrides = after
                return .some(records.keep(after, &state.events))
            }
            if let outcome { return outcome }
        }
    }

    /// Removes all overrides.
    @discardableResult
    public func resetOverrides() -> StoreError? { changeOverrides { $0.reset() } }

    /// Applies a signed payload: its values and variants replace all overrides until it expires, or it resets them.
    ///
    /// A chosen variant changes ``Configuration/assignments`` and exposures. The values of the variant must be among
    /// the payload's values, since the app does not know the definitions.
    ///
    /// - Parameter token: the signed text, or the link that carries it: from a message, a QR code or a launch argument.
    /// - Returns: the reason if it could not be stored for the next run.
    /// - Throws: `AllotConfiguration/SignatureError`, `AllotConfiguration/DevicePayloadError`, or ``TokenError``
    ///   for a payload that is older than the last. Nothing changes then. A token that no pinned key has signed is
    ///   applied if ``ClientOptions/allowsInvalidSignatures`` is set.
    @discardableResult
    public func apply(token: String, verifier: any SignatureVerifier, app: String, device: String) throws -> StoreError?
    {
        let token = try SignedToken(link: token)
        var fault: SignatureError?
        do throws(SignatureError) {
            try verifier.verify(token.signature, payload: token.payload)
        } catch {
            guard options.allowsInvalidSignatures else { throw error }
            fault = error
        }
        let payload = try DevicePayload(JSONValue(parsing: token.payload))
        try payload.check(app: app, device: device, at: options.clock.now().milliseconds / 1000)
        let outcome = update { state -> Result<StoreError?, TokenError> in
            guard payload.issued >= state.overrides.issued ?? .min else { return .failure(.olderThanTheLast) }
            state.overrides = LocalOverrides(payload)
            if let fault { state.events.append(.appliedUnverified(fault)) }
            return .success(records.keep(state.overrides, &state.events))
        }
        return try outcome.get()
    }
}

/// The reason not to apply a payload that is signed and meant for this device.
public enum TokenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A payload that was issued later has been applied.
    case olderThanTheLast

    /// The fault, and its remedy.
    public var description: String { "a payload that was issued later has been applied; issue a new one" }
}

extension LocalOverrides {
    init(_ payload: DevicePayload) {
        self.init()
        issued = payload.issued
        guard payload.operation == .apply else { return }
        for (section, setting, value) in payload.values.settings { set(section, setting, value) }
        for member in payload.variants.members { choose(member.value.text.map { Variant($0) }, of: member.key) }
        expires = Date(timeIntervalSince1970: Double(payload.expires))
    }
}
