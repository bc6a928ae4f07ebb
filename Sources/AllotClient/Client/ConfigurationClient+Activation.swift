extension ConfigurationClient {
    /// Puts in force what was fetched last, if it is not yet; returns whether that changed anything for the app: a value, an
    /// assignment, or another member of `meta` than when and from what the configuration was made.
    @discardableResult
    public func activate() -> Bool {
        update { state in
            guard let fetched = state.fetched else { return false }
            state.fetched = nil
            state.active = ActiveConfiguration(fetched)
            records.keep(fetched, &state.events)
            let next = state.snapshot(recorder: recorder)
            let change = ConfigurationChange(from: hub.current, to: next)
            state.next = (next, change)
            return !change.isEmpty
        }
    }

    /// Asks the server as ``refresh()`` does, and puts in force what was fetched; returns whether that changed anything for
    /// the app.
    ///
    /// - Throws: ``RefreshError``; nothing is put in force then.
    @discardableResult
    public func fetchAndActivate() async throws(RefreshError) -> Bool {
        let before = hub.current
        _ = try await refresh()
        activate()
        return !ConfigurationChange(from: before, to: hub.current).isEmpty
    }
}
