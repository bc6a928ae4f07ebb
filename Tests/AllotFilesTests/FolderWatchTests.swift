#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import AllotFiles

    /// The kernel queues an event before the call that causes it returns, so nothing here waits.
    struct FolderWatchTests {
        private let temporary: TemporaryFolder
        private var folder: URL { temporary.url }

        init() throws {
            temporary = try TemporaryFolder()
            try FileManager.default.createDirectory(at: folder.appending(path: "a"), withIntermediateDirectories: true)
        }

        private func write(_ text: String, _ path: String) throws { try temporary.write(text, to: path) }

        /// `#expect` takes no value that cannot be copied.
        private final class Watch {
            private var watch: FolderWatch

            init(_ path: String) { watch = FolderWatch(path: path) }

            var isActive: Bool { watch.isActive }

            func hasChanged() -> Bool { watch.hasChanged { $0.hasSuffix(".yaml") } }
        }

        @Test("Changes of files that count are noticed, once, and no others")
        func files() throws {
            let watch = Watch(folder.appending(path: "a").path)
            #expect(watch.isActive)
            #expect(!watch.hasChanged())
            try write("x", "a/one.yaml")
            #expect(watch.hasChanged())
            #expect(!watch.hasChanged())
            try write("x", "a/allot.sqlite")
            #expect(!watch.hasChanged())
            try FileManager.default.removeItem(at: folder.appending(path: "a/one.yaml"))
            #expect(watch.hasChanged())
        }

        @Test("A path that cannot be watched is not a change each time")
        func unwatchable() throws {
            try write("x", "file")
            let watch = Watch(folder.appending(path: "file").path)
            #expect(!watch.isActive)
            #expect(!watch.hasChanged())
        }

        @Test("That a link takes a name is noticed, whatever the name, and that a file does only if the name counts")
        func renaming() throws {
            let path = folder.appending(path: "a").path
            try write("x", "a/metrics-new")
            #expect(symlink("elsewhere", path + "/.data-new") == 0)
            let watch = Watch(path)
            #expect(rename(path + "/metrics-new", path + "/metrics") == 0)
            #expect(!watch.hasChanged())
            #expect(rename(path + "/.data-new", path + "/.data") == 0)
            #expect(watch.hasChanged())
            #expect(rename(path + "/metrics", path + "/one.yaml") == 0)
            #expect(watch.hasChanged())
        }

        @Test("A folder that is deleted and made again between two looks is watched again")
        func madeAgain() throws {
            let again = folder.appending(path: "a")
            let watch = Watch(again.path)
            for _ in 0..<20 {
                try FileManager.default.removeItem(at: again)
                try FileManager.default.createDirectory(at: again, withIntermediateDirectories: true)
                #expect(watch.hasChanged())
                try write("x", "a/one.yaml")
                #expect(watch.hasChanged())
            }
        }

        @Test("The watch goes with the path: to another folder behind a link, and to a folder that comes back")
        func pathLeadsElsewhere() throws {
            let (link, other) = (folder.appending(path: "link").path, folder.appending(path: "b"))
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            #expect(symlink("a", link) == 0)
            let watch = Watch(link)
            #expect(!watch.hasChanged())
            #expect(symlink("b", link + "-new") == 0)
            #expect(rename(link + "-new", link) == 0)
            #expect(watch.hasChanged())
            #expect(!watch.hasChanged())
            try write("x", "a/one.yaml")
            #expect(!watch.hasChanged())
            try write("x", "b/one.yaml")
            #expect(watch.hasChanged())
            try FileManager.default.removeItem(at: other)
            #expect(watch.hasChanged())
            #expect(!watch.hasChanged())
            #expect(!watch.isActive)
            try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
            #expect(watch.hasChanged())
            #expect(watch.isActive)
        }

        @Test("More events than the kernel keeps are a change")
        func overflow() throws {
            let watch = Watch(folder.appending(path: "a").path)
            // The usual limit is 16,384 events.
            for _ in 0..<10_000 { for name in ["a/one", "a/two"] { try write("", name) } }
            #expect(watch.hasChanged())
        }
    }
#endif
