import Synchronization
import TestSupport
import Testing

@testable import AllotCore
@testable import AllotDefinitions

/// Loads that reuse what the load before has read, compared with loads that do not.
struct LoadCacheTests {
    /// Everything that a load gives, as text.
    private func outcome(_ load: () throws(DefinitionsError) -> LoadedDefinitions) -> [String] {
        do throws(DefinitionsError) {
            let loaded = try load()
            let plan = loaded.plan
            let experiments = plan.experiments.map { "\($0.key) \($0.revision) \($0.status) \($0.variants.map(\.key))" }
            let base = String(decoding: plan.configurationBytes(for: Subject(), at: Instant(seconds: 0)), as: UTF8.self)
            return [plan.revision, base] + experiments + loaded.warnings.map(\.description)
                + loaded.owners.map { "\($0)" }
        } catch { return ["\(error)"] }
    }

    private static let bases = [
        "config_sections: { Shop: { settings: { Colour: { value: red }, Limit: { value: 1, maximum: 9 } } } }",
        "config_sections: { Shop: { settings: { Colour: { value: blue }, Limit: { value: 1, maximum: 3 } } } }",
        "config_sections: { Shop: { settings: { Colour: { value: 1 } } } }", "config_sections: [",
    ]
    private static let layers = ["front: {}", "front: { unit: device_id }", "front: { hash: eppo/1 }", "front: ["]
    private static let segments = [
        "eu: { country: { $in: [DE, FR] } }", "eu: { country: US }", "eu: [DE]", "other: {}",
    ]
    private static let holdouts = [
        "h: { share: 5% }", "h: { share: 5%, experiments: [e2] }", "h: { share: 5%, experiments: [e2, e3] }",
        "h: { share: 6% }", "g: { share: 5%, layers: [front] }", "h: [",
    ]
    private static let experiments = [
        "status: running\nowner: Ada\nvariants: [{ key: a }, { key: b, overrides: { Shop: { Colour: green } } }]",
        "status: running\nvariants: [{ key: a }, { key: b, overrides: { Shop: { Limit: 5 } } }]",
        "status: running\nlayer: front\nslots: [0%..<50%]\nvariants: [{ key: a }, { key: b }]",
        "status: running\nlayer: front\nslots: [5000..<9000]\nvariants: [{ key: a }]",
        "status: running\nlayer: front\nslots: [60%..<70%]\nforced: { user-1: a }\nvariants: [{ key: a }]",
        "status: running\nlayer: front\nslots: [70%..<80%]\nforced: { user-2: a }\nvariants: [{ key: a }]",
        "status: draft\naudience: { $segment: eu }\nvariants: [{ key: a, overrides: { Shop: { Limit: 1 } } }]",
        "status: running\nrequires: { e1: [a] }\nforced: { tester: a }\nvariants: [{ key: a }]",
        "status: paused\nsalt: e2\nvariants: [{ key: a, weight: -1 }]", "variants: [{", "- a list",
    ]

    @Test("A load that reuses what was read gives what a load from nothing gives", arguments: 0..<8)
    func same(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var files: [String: String] = ["base.yaml": Self.bases[0]]
        var cache = LoadCache()
        for _ in 0..<40 {
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let (name, texts): (String, [String]) =
                    switch Int.random(in: 0..<13, using: &random) {
                    case 0: ("base.yaml", Self.bases)
                    case 1: ("layers.yaml", Self.layers)
                    case 2: ("segments.yaml", Self.segments)
                    case 3: ("e1.json", Self.experiments)
                    case 4: ("not a key.yaml", Self.experiments)
                    case 5: ("holdouts.yaml", Self.holdouts)
                    default: ("e\(Int.random(in: 0..<6, using: &random)).yaml", Self.experiments)
                    }
                // Valid ones are more frequent.
                let isValid = Bool.random(using: &random)
                files[name] =
                    Int.random(in: 0..<6, using: &random) == 0
                    ? nil : (isValid ? texts.prefix(max(texts.count / 2, 1)) : texts[...]).randomElement(using: &random)
            }
            let content = DefinitionsFolder.Content(
                sources: files.map { DefinitionSource(name: $0.key, bytes: Array($0.value.utf8)) })
            let folder = Int.random(in: 0..<9, using: &random) == 0 ? "Other" : "Experiments"
            let loader = DefinitionsLoader(now: Instant(seconds: 1_795_262_400))
            let reusing = outcome { () throws(DefinitionsError) in
                try loader.load(content, folder: folder, cache: &cache)
            }
            #expect(reusing == outcome { () throws(DefinitionsError) in try loader.load(content, folder: folder) })
        }
    }

    /// The files that are read, of a load after others.
    private func readings(_ texts: [String], base: String, _ cache: inout LoadCache) -> [Int] {
        let sources = texts.enumerated().map { DefinitionSource(name: "e\($0).yaml", bytes: Array($1.utf8)) }
        cache.begin(.init(folder: "f", limits: DefinitionLimits(), shared: [("base.yaml", Array(base.utf8))]))
        let read = Mutex<[Int]>([])
        _ = cache.experiments(of: sources) { index in
            read.withLock { $0.append(index) }
            return ParsedFile()
        }
        return read.withLock { $0.sorted() }
    }

    @Test("A file is read again if its bytes or those of a shared file are others, and only then")
    func reuse() {
        var cache = LoadCache()
        #expect(readings(["a", "b", "c"], base: "1", &cache) == [0, 1, 2])
        #expect(readings(["a", "b", "c"], base: "1", &cache) == [])
        #expect(readings(["a", "B", "c"], base: "1", &cache) == [1])
        #expect(readings(["a", "B"], base: "1", &cache) == [])
        #expect(readings(["a", "B", "c"], base: "1", &cache) == [2])
        #expect(readings(["a", "B", "c"], base: "2", &cache) == [0, 1, 2])
    }

    @Test("The bytes of a file on disk are used again only in the state that was read, and if that state was old")
    func bytesOnDisk() throws {
        let folder = try TemporaryFolder()
        let (name, text) = ("checkout.yaml", "status: draft\nvariants: [{ key: a }]")
        _ = try folder.write(text, to: name)
        var content = try DefinitionsFolder.read(folder.path, limits: DefinitionLimits())
        let state = try #require(content.signature?.state(of: name))
        let loader = DefinitionsLoader(now: Instant(seconds: 0))
        /// What a load that began at an instant knows later of a file in a state.
        func known(at instant: Instant, in state: FolderSignature.File) throws -> [UInt8]? {
            content.readAt = instant
            var cache = LoadCache()
            _ = try loader.load(content, folder: folder.path, cache: &cache)
            return cache.bytes(of: name, in: state)
        }
        let later = Instant(seconds: Instant.now.seconds + 10)
        #expect(try known(at: later, in: state) == Array(text.utf8))
        // A change in the same step of the file system's clock might not show.
        #expect(try known(at: .now, in: state) == nil)
        _ = try folder.write(text + "\n", to: name)
        let changed = try #require(FolderSignature(path: folder.path).state(of: name))
        #expect(try known(at: later, in: changed) == nil)
        #expect(LoadCache().bytes(of: name, in: state) == nil)
    }

    @Test("A folder that does not match its manifest forgets nothing")
    func halfFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write("status: draft\nvariants: [{ key: a }]", to: "e.yaml")
        _ = try DefinitionsLoader().loadWritingManifest(folder: folder.path)
        var (cache, signature) = (LoadCache(), FolderSignature?.none)
        _ = try DefinitionsLoader().load(folder: folder.path, signature: &signature, cache: &cache)
        try folder.write("status: draft", to: "e.yaml")
        #expect(throws: DefinitionsError.self) {
            try DefinitionsLoader().load(folder: folder.path, signature: &signature, cache: &cache)
        }
        #expect(cache.count == 1)
    }
}
