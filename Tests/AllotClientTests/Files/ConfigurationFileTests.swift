import AllotConfiguration
import Foundation
import Synchronization
import Testing

@testable import AllotClient

private let logoBytes = Array("the bytes of a logo".utf8)

/// Serves configurations and files, and counts the requests for files.
private final class FileServer: Downloader {
    private let state: Mutex<(sections: JSONObject, bytes: [UInt8]?, count: Int)>
    private let gate: Gate?

    init(_ sections: JSONObject, _ bytes: [UInt8]?, gate: Gate? = nil) {
        state = Mutex((sections, bytes, 0))
        self.gate = gate
    }

    /// The number of files that were requested.
    var count: Int { state.withLock { $0.count } }

    func serve(_ sections: JSONObject) { state.withLock { $0.sections = sections } }
    func serve(_ bytes: [UInt8]?) { state.withLock { $0.bytes = bytes } }

    func download(_ request: DownloadRequest) async throws(RequestError) -> DownloadAnswer {
        DownloadAnswer(body: Served.body(state.withLock { $0.sections }))
    }

    func downloadFile(at url: URL, limit: Int) async throws(RequestError) -> [UInt8] {
        let bytes = state.withLock { state in
            state.count += 1
            return state.bytes
        }
        await gate?.pass()
        guard let bytes else { throw RequestError(.unreachable, "no network") }
        return bytes
    }
}

private struct PageSettings: SettingsSection {
    static let section = "Page"
    @Setting("Logo") var logo: ConfigurationFile? = nil
    @Setting("All") var all: [ConfigurationFile] = []
    @Setting("Absent") var absent = ConfigurationFile(
        name: "default", url: URL(filePath: "/"), size: 0, sha256: FileChecksum.sha256([]))
}

struct ConfigurationFileTests {
    private let store = FaultyStore()

    private static func json(
        name: String = "logo.png", url: String = "https://cdn.example.com/logo.png?key=secret"
    ) -> JSONValue {
        [
            "__type": "File", "name": .string(name), "url": .string(url), "size": logoBytes.count.json,
            "sha256": .string(FileChecksum.sha256(logoBytes)),
        ]
    }

    private static func page(_ file: JSONValue) -> JSONObject { ["Page": ["Logo": file, "Other": 1]] }

    private func client(
        _ server: FileServer, _ activation: ClientOptions.Activation = .whenFetched,
        log: @escaping @Sendable (ConfigurationEvent) -> Void = { _ in }
    ) -> ConfigurationClient {
        var options = ClientOptions(activation: activation, minimumInterval: .zero)
        options.log = log
        return ConfigurationClient(downloader: server, store: store, user: ConfigurationUser("u"), options: options)
    }

    /// A client that has a configuration with the logo.
    private func served() async throws -> (FileServer, ConfigurationClient) {
        let server = FileServer(Self.page(Self.json()), logoBytes)
        let client = client(server)
        try await client.refresh()
        return (server, client)
    }

    private func logo(_ client: ConfigurationClient) throws -> ConfigurationFile {
        try #require(client.current.settings(PageSettings.self).logo)
    }

    private func failure(_ file: ConfigurationFile) async -> ConfigurationFileError? {
        do throws(ConfigurationFileError) {
            _ = try await file.data()
            return nil
        } catch { return error }
    }

    private var isStored: Bool { store.memory.read(.file(FileChecksum.sha256(logoBytes))) != nil }

    @Test(
        "The SHA-256 is that of other programs",
        arguments: [
            (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (55, "576a1bf8d4478657e6dc4af9398544765c2a92cde28478b019235cfed315fc09"),
            (56, "9b20501dfd1d99161c257950f3444f3e49230c351c5c8e0943ef369f85f5205d"),
            (64, "d8bc63b4fc1156e5e7d95a418b9bf54cd3174bedbc2db40f74895349b229b3c0"),
            (1000, "89f4ff56a25dd1db06a4ce6033603775d705fb96f30f8693733fef602a1ca532"),
        ])
    func hashes(count: Int, hash: String) {
        #expect(FileChecksum.sha256((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }) == hash)
    }

    @Test("Many callers download a file once, and later runs need no network")
    func downloadedOnce() async throws {
        let gate = Gate()
        let server = FileServer(Self.page(Self.json()), logoBytes, gate: gate)
        let client = client(server)
        try await client.refresh()
        let file = try logo(client)
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<20 { group.addTask { try await file.data() } }
            await gate.arrival()
            gate.open()
            for try await data in group { #expect(data == Data(logoBytes)) }
        }
        #expect(try await file.data() == Data(logoBytes))
        #expect(server.count == 1)
        let offline = FileServer([:], nil)
        #expect(try await logo(self.client(offline)).data() == Data(logoBytes))
        #expect(offline.count == 0)
    }

    @Test("A caller that is cancelled leaves; the others receive the file")
    func cancelledCallers() async throws {
        let gate = Gate()
        let client = client(FileServer(Self.page(Self.json()), logoBytes, gate: gate))
        try await client.refresh()
        let file = try logo(client)
        let first = Task { await failure(file) }
        await gate.arrival()
        let second = Task { try await file.data() }
        first.cancel()
        #expect(await first.value?.kind == .cancelled)
        gate.open()
        #expect(try await second.value == Data(logoBytes))
    }

    @Test(
        "Other bytes than the setting says are refused and not stored",
        arguments: [
            (Array(logoBytes.dropLast()), "has 18 bytes at https://cdn.example.com, and its setting says 19"),
            (logoBytes + [0], "has 20 bytes at https://cdn.example.com, and its setting says 19"),
            ([], "has 0 bytes"), (Array(logoBytes.reversed()), "has the SHA-256 "),
        ] as [([UInt8], String)])
    func wrongBytes(served: [UInt8], message: String) async throws {
        let server = FileServer(Self.page(Self.json(name: "a\"<\n\u{202e}")), served)
        let client = client(server)
        try await client.refresh()
        let file = try logo(client)
        let error = try #require(await failure(file))
        #expect(error.kind == .mismatch)
        #expect(error.description.hasPrefix(#"the file "a\"<\n\u202E" \#(message)"#), "\(error)")
        #expect(error.description.hasSuffix("or correct its size and its SHA-256"))
        #expect(!error.description.contains("secret"))
        #expect(!isStored)
        server.serve(logoBytes)
        #expect(try await logo(client).data() == Data(logoBytes))
    }

    @Test("Damaged bytes in the store are downloaded again, which an event and the log say", arguments: [true, false])
    func damagedBytes(isCut: Bool) async throws {
        let server = FileServer(Self.page(Self.json()), logoBytes)
        let (logged, log) = AsyncStream.makeStream(of: ConfigurationEvent.self)
        let client = client(server) { log.yield($0) }
        try await client.refresh()
        _ = try await logo(client).data()
        store.damage { record, bytes in
            guard record.kind == .file else { return bytes }
            return isCut ? Array(bytes.dropLast()) : [0] + Array(bytes.dropFirst())
        }
        var events = client.events.makeAsyncIterator()
        #expect(try await logo(client).data() == Data(logoBytes))
        #expect(server.count == 2)
        guard case .storeFailed(let error)? = await events.next() else {
            Issue.record("not reported")
            return
        }
        #expect(error.kind == .corrupt)
        for await case .storeFailed(let same) in logged {
            #expect(same == error)
            break
        }
    }

    @Test("A full disk loses no file: it is downloaded each time, until there is space")
    func fullDisk() async throws {
        let (server, client) = try await served()
        var events = client.events.makeAsyncIterator()
        store.failWriting()
        for count in 1...2 {
            #expect(try await logo(client).data() == Data(logoBytes))
            #expect(server.count == count)
            guard case .storeFailed? = await events.next() else {
                Issue.record("not reported")
                return
            }
        }
        store.failWriting(false)
        for _ in 0..<2 { _ = try await logo(client).data() }
        #expect(server.count == 3)
    }

    @Test("A file is kept as long as a stored configuration names it", arguments: [true, false])
    func filesOfConfigurations(isForgotten: Bool) async throws {
        let (server, client) = try await served()
        _ = try await logo(client).data()
        client.setUser(ConfigurationUser("v"))
        server.serve(["Page": ["Other": 2]])
        try await client.refresh()
        // The former user may return.
        #expect(isStored)
        if isForgotten {
            client.forget(ConfigurationUser("u"))
        } else {
            client.setUser(ConfigurationUser("u"))
            try await client.refresh()
        }
        #expect(!isStored)
        #expect(store.memory.read(StoreRecord(.files, user: nil)) == nil)
    }

    @Test("A file is kept while the configuration that names it waits for the next start")
    func filesOfFetchedConfigurations() async throws {
        let server = FileServer(Self.page(Self.json()), logoBytes)
        let client = client(server, .atStart)
        try await client.refresh()
        let file = try ConfigurationFile(json: Self.json())
        _ = try await client.data(of: file)
        try await client.refresh()
        #expect(isStored)
        server.serve(["Page": ["Other": 2]])
        try await client.refresh()
        #expect(!isStored)
    }

    @Test("A store that cannot be read keeps its files")
    func unreadableStore() async throws {
        let (server, client) = try await served()
        _ = try await logo(client).data()
        store.failReading()
        server.serve(["Page": ["Other": 2]])
        try await client.refresh()
        #expect(isStored)
        store.failReading(false)
        try await client.refresh()
        #expect(!isStored)
    }

    @Test("All stored files together have a limit, and the oldest ones go first")
    func limitOfAllFiles() {
        let files = StoredFiles(store)
        let checksums = (0..<6).map { number in
            FileChecksum(size: FileStore.sizeLimit, sha256: FileChecksum.sha256([UInt8(number)]))
        }
        for (number, checksum) in checksums.enumerated() {
            #expect(files.keep([UInt8(number)], checksum).isEmpty)
        }
        let kept = checksums.map { store.memory.read(.file($0.sha256)) != nil }
        #expect(kept == [false, false, true, true, true, true])
    }

    @Test("A corrupt list of files is begun again")
    func corruptList() async throws {
        let client = client(FileServer(Self.page(Self.json()), logoBytes))
        try await client.refresh()
        store.memory.write(Array("?".utf8), StoreRecord(.files, user: nil))
        #expect(try await logo(client).data() == Data(logoBytes))
        #expect(StoredFiles(store).keep([], FileChecksum(size: 0, sha256: FileChecksum.sha256([]))).isEmpty)
    }

    @Test("A file that cannot be downloaded says why")
    func failures() async throws {
        let server = FileServer(Self.page(Self.json()), nil)
        let client = client(server)
        try await client.refresh()
        let file = try logo(client)
        let error = try #require(await failure(file))
        #expect(error.kind == .notDownloaded(RequestError(.unreachable, "no network")))
        #expect(error.description == #"the file "logo.png" was not downloaded: no network"#)
        let unread = try ConfigurationFile(json: Self.json())
        #expect(await failure(unread)?.kind == .withoutClient)
        server.serve(Self.page(["__type": "File", "name": "a", "url": "https://example.com/a"]))
        try await client.refresh()
        for unverifiable in [try logo(client), try client.current.value("Page", "Logo", as: ConfigurationFile.self)] {
            #expect(await failure(unverifiable)?.kind == .withoutChecksum)
        }
        let large = try #require(
            ConfigurationFile(
                name: "a", url: URL(filePath: "/"), size: FileStore.sizeLimit + 1, sha256: FileChecksum.sha256([])))
        await #expect(throws: ConfigurationFileError.self) { try await client.data(of: large) }
        #expect(server.count == 1)
    }

    @Test("A file knows its client, however it is read")
    func waysToRead() async throws {
        struct Page: Decodable {
            enum CodingKeys: String, CodingKey { case logo = "Logo" }
            var logo: ConfigurationFile
        }
        var sections = Self.page(Self.json())
        sections["Page"] = ["Logo": Self.json(), "All": [Self.json()]]
        let client = client(FileServer(sections, logoBytes))
        try await client.refresh()
        let current = client.current
        let other = try ConfigurationFile(json: Self.json())
        let files = [
            try current.value("Page", "Logo", as: ConfigurationFile.self),
            current.value("Page", "Logo", default: other), try current.decode(Page.self, from: "Page").logo,
            try current.decode(ConfigurationFile.self, "Page", "Logo"),
            try #require(current.settings(PageSettings.self).all.first),
        ]
        for file in files {
            #expect(file == other)
            #expect(try await file.data() == Data(logoBytes))
        }
        // A default has the client, too, which downloads other bytes for it.
        let absent = try #require(current.settings(PageSettings.self).absent)
        #expect(await failure(absent)?.kind == .mismatch)
    }

    @Test(
        "References that could not be verified are refused",
        arguments: [
            ("size", -1), ("size", 1.5), ("size", "1"), ("size", nil), ("sha256", nil), ("sha256", ""),
            ("sha256", .string(String(repeating: "A", count: 64))),
            ("sha256", .string(String(repeating: "é", count: 64))),
            ("name", 1), ("url", "logo.png"), ("url", ""), ("__type", "file"),
        ] as [(String, JSONValue?)])
    func hostileReferences(member: String, value: JSONValue?) throws {
        var members = try #require(Self.json().asObject)
        members[member] = value
        #expect((try? ConfigurationFile(json: .object(members))) == nil)
        #expect(try ConfigurationFile(json: Self.json()).json == Self.json())
    }

    @Test("The token is sent to the server of configurations only, and no more bytes are read than the file has")
    func tokens() async throws {
        let own = try StubServer { _ in [.answer("200 OK", body: logoBytes)] }
        let other = try StubServer { request in
            request.target == "/moved"
                ? [.answer("302 Found", ["Location: /there"])] : [.answer("200 OK", body: logoBytes)]
        }
        let downloader = URLSessionDownloader(server: try own.url("/prefix"), token: "secret")
        let limit = logoBytes.count
        #expect(try await downloader.downloadFile(at: try own.url("/a"), limit: limit) == logoBytes)
        #expect(try await downloader.downloadFile(at: try other.url("/moved"), limit: limit) == logoBytes)
        #expect(own.requests.map { $0.header("authorization") } == ["Bearer secret"])
        #expect(other.requests.map { $0.header("authorization") } == [nil, nil])
        let store = MemoryStore()
        let client = ConfigurationClient(downloader: downloader, store: store)
        let short = try #require(
            ConfigurationFile(name: "a", url: try own.url("/a"), size: 3, sha256: FileChecksum.sha256([])))
        await #expect { try await client.data(of: short) } throws: {
            ($0 as? ConfigurationFileError)?.kind == .mismatch
        }
        let elsewhere = try #require(
            ConfigurationFile(name: "a", url: URL(filePath: "/etc/passwd"), size: 3, sha256: FileChecksum.sha256([])))
        await #expect { try await client.data(of: elsewhere) } throws: {
            "\($0)".hasPrefix(#"the file "a" was not downloaded: its URL is not an http or https URL"#)
        }
    }
}
