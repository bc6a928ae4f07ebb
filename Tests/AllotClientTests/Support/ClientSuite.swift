import AllotClient

/// Tests whose clients live in the time of their suite.
protocol ClientSuite {
    var time: TestTime { get }
}

extension ClientSuite {
    /// A client of the user "u", unless a test says otherwise.
    func client(
        _ downloader: ScriptedDownloader, store: any ConfigurationStore = MemoryStore(), user: String? = "u",
        _ options: ClientOptions = .development
    ) -> ConfigurationClient {
        ConfigurationClient(
            downloader: downloader, store: store, user: ConfigurationUser(user), options: options.under(time))
    }

    /// A client of the user "u" that asks the server each time, and activates responses at a time of its own.
    func client(
        _ downloader: ScriptedDownloader, store: any ConfigurationStore, _ activation: ClientOptions.Activation
    ) -> ConfigurationClient {
        client(downloader, store: store, ClientOptions(activation: activation, minimumInterval: .zero))
    }
}
