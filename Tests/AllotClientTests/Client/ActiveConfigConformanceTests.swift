import AllotClient
import AllotConfiguration
import TestSupport
import Testing

/// What MSActiveConfig's own tests fix; where Allot differs, it says so.
struct ActiveConfigConformanceTests: ClientSuite {
    let time = TestTime()

    private static func cases(_ name: String) throws -> [JSONObject] {
        try Conformance.cases("msactiveconfig/\(name).json")
    }

    @Test("An invalid response never replaces a valid configuration")
    func stateValidity() throws {
        let cases = try Self.cases("state_validity_cases")
        // A document that is not there is a configuration of its own, ``Configuration/empty``, and no JSON null.
        for state in cases where state["input"] != .null {
            let document = try? ConfigurationDocument(exchange: try #require(state["input"]))
            #expect((document != nil) == (state["valid"] == true), "\(state)")
            guard let document else { continue }
            if case .string(let version)? = state["formatVersion"] {
                #expect(document.meta["format_version_string"]?.text ?? "" == version)
            }
            if case .string(let date)? = state["creationDate"] { #expect(document.meta["creation_time"]?.text == date) }
            // Sections that are no objects are empty ones.
            for section in document.sections.members { #expect(section.value == .object([:])) }
        }
        #expect(cases.count == 10)
    }

    @Test("A bundled file with a trailing comma is read")
    func bundledFileWithItsTrailingComma() throws {
        let path = Conformance.path("msactiveconfig/InitialActiveConfig.json")
        let document = try ConfigurationDocument(contentsOf: path)
        #expect(document.value("SampleViewConfiguration", "ButtonEnabled") == true)
        #expect(document.meta["is_bootstrapped_configuration"] == true)
        #expect(!String(decoding: document.canonicalBytes, as: UTF8.self).contains(",}"))
    }

    @Test("The configuration falls back to stored and bundled ones")
    func storeFallback() async throws {
        @Sendable func configuration(_ name: String) -> ConfigurationDocument {
            ConfigurationDocument(sections: ["S": ["is": .string(name)]], meta: [:])
        }
        var count = 0
        for state in try Self.cases("store_fallback_cases") {
            guard case .object(let persisted)? = state["persisted"], case .string(let query)? = state["query"] else {
                continue
            }
            var options = ClientOptions.development
            if case .string(let initial)? = state["initial"] { options.bootstrap = { configuration(initial) } }
            let store = MemoryStore()
            for member in persisted.members {
                guard case .string(let name) = member.value else { continue }
                let downloader = ScriptedDownloader(Served.ok(["S": ["is": .string(name)]]))
                let user = member.key == "None" ? nil : member.key
                try await self.client(downloader, store: store, user: user, options).refresh()
            }
            let client = client(ScriptedDownloader(Served.unreachable), store: store, user: query, options)
            #expect(client.current.document.value("S", "is") ?? .null == state["result"], "\(state)")
            count += 1
        }
        #expect(count == 7)
    }

    @Test("Subscribers are notified of changed sections")
    func listeners() async throws {
        var count = 0
        for state in try Self.cases("listener_cases") {
            guard case .string(let section)? = state["register"], case .array(let expected)? = state["notifications"],
                state["remove"] == nil
            else { continue }
            var states: [JSONValue] = []
            if let value = state["state1"] { states.append(value) }
            if case .array(let values)? = state["states"] { states += values }
            let downloader = ScriptedDownloader(Served.unreachable)
            let client = ConfigurationClient(
                downloader: downloader, store: MemoryStore(), options: ClientOptions.development.under(time))
            if let first = state["state0"], first != .object([:]) {
                try await Self.apply(first, to: client, downloader)
            }
            var notifications: [JSONValue] = []
            var updates = client.updates(of: section).makeAsyncIterator()
            if let present = await updates.next() ?? nil { notifications.append(Self.values(present)) }
            for next in states {
                let before = client.current[section]
                try await Self.apply(next, to: client, downloader)
                // An element for each change, and none without.
                if client.current[section] != before {
                    notifications.append((await updates.next() ?? nil).map(Self.values) ?? .null)
                }
            }
            #expect(notifications == expected.map(Self.unwrapped), "\(state)")
            count += 1
        }
        #expect(count == 6)
    }

    /// Activates sections of settings, as a server's response.
    private static func apply(
        _ sections: JSONValue, to client: ConfigurationClient, _ downloader: ScriptedDownloader
    ) async throws {
        guard case .object(let sections) = sections else { return }
        var values = JSONObject()
        for section in sections.members { values[section.key] = unwrapped(section.value) }
        // A configuration without sections is not applied: another section stands for what is left.
        values["Rest"] = [:]
        downloader.answer(Served.ok(values))
        try await client.refresh()
    }

    /// Settings, some written with their `value` and some without.
    private static func unwrapped(_ section: JSONValue) -> JSONValue {
        guard case .object(let settings) = section else { return section }
        return .object(
            JSONObject(
                settings.members.map { setting in
                    guard case .object(let members) = setting.value, let value = members["value"] else {
                        return (setting.key, setting.value)
                    }
                    return (setting.key, value)
                }))
    }

    private static func values(_ section: ConfigurationSection) -> JSONValue {
        .object(JSONObject(section.settingNames.compactMap { name in section[name].map { (name, $0) } }))
    }
}
