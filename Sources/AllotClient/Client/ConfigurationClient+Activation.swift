extension ConfigurationClient {
    /// Puts in force what was fetched last, if it is not yet; returns whether that changed anything for the app: a value, an
    /// assignment, or another member of `meta` than when and from what the configuration was made.
    @discardableResult
    public func activate() -> Bool {
        activate(for: nil)
    }

    /// Asks the server as ``refresh()`` does, and puts in force what was fetched; returns whether that changed anything for
    /// the app. If the user is changed meanwhile, what was fetched is kept for when the former comes back.
    ///
    /// - Throws: ``RefreshError``; nothing is put in force then.
    @discardableResult
    public func fetchAndActivate() async throws(RefreshError) -> Bool {
        let before = hub.current
        let result = try await refresh()
        // What is in force as soon as it is fetched has changed by then.
        guard options.activation != .whenFetched else { return result.outcome == .fetched && result.isChanged }
        return activate(for: before.user)
    }

    /// - Parameter user: does nothing unless this user is in force; `nil` for any.
    private func activate(for user: ConfigurationUser?) -> Bool {
        update { state in
            guard let fetched = state.fetched, user == nil || user == state.user else { return false }
            state.fetched = nil
            state.active = ActiveConfiguration(fetched)
            records.keep(fetched, &state.events)
            let next = state.snapshot(recorder: recorder)
            let change = ConfigurationChange(from: hub.current, to: next)
            state.next = (next, change)
            return !change.isEmpty
        }
    }
}
