import AllotClient
import AllotConfiguration
import Timing

/// Times of the client: of reading a setting, of taking a configuration into force, and of telling listeners.
@main
enum MeasureClient {
    static func main() async throws {
        let body = Served.body(bytes: 128 * 1024)
        let document = try ConfigurationDocument(parsing: body)
        let configuration = Configuration(document)
        let another = Configuration(try ConfigurationDocument(parsing: Served.body(bytes: body.count, version: 1)))
        let count = 100_000
        let works = [
            Stopwatch.Work(name: "read a typed setting of a section that is kept", operations: count) {
                // Two of them, so that each reading is one.
                let kept = [configuration, another].map { $0.settings(SampleSettings.self) }
                var sum = 0
                for index in 0..<count { sum &+= kept[index & 1].size }
                return UInt64(sum)
            },
            Stopwatch.Work(name: "read a typed setting of a snapshot", operations: count) {
                var sum = 0
                for _ in 0..<count { sum &+= configuration.settings(SampleSettings.self).size }
                return UInt64(sum)
            },
            Stopwatch.Work(name: "read a number by its names", operations: count) {
                var sum = 0
                for _ in 0..<count { sum &+= configuration.integer("Section4", "setting-1") ?? 0 }
                return UInt64(sum)
            },
            Stopwatch.Work(name: "parse \(body.count / 1024) KiB", operations: 1) {
                UInt64((try? ConfigurationDocument(parsing: body))?.sections.members.count ?? 0)
            },
            Stopwatch.Work(name: "make a snapshot of \(body.count / 1024) KiB", operations: 1) {
                UInt64(Configuration(document).sectionNames.count)
            },
        ]
        for result in Stopwatch.measure(works, rounds: 31) { report(result.name, result.nanoseconds) }
        report(
            "fetch, check, compare and activate \(body.count / 1024) KiB", try await Applying.median(bytes: body.count))
        report("tell 10,000 listeners of one change", try await Telling.median(listeners: 10_000))
    }

    private static func report(_ name: String, _ nanoseconds: Double) {
        let padding = String(repeating: " ", count: max(1, 60 - name.count))
        let isShort = nanoseconds < 10_000
        let scaled = Int((isShort ? nanoseconds * 10 : nanoseconds / 1e5) + 0.5)
        print("\(name)\(padding)\(scaled / 10).\(scaled % 10) \(isShort ? "ns" : "ms")")
    }
}

/// Some of the settings that are served.
private struct SampleSettings: SettingsSection {
    static let section = "Section4"
    @Setting("setting-0") var title = ""
    @Setting("setting-1", in: 0...100) var size = 42
    @Setting("setting-2") var isOn = false
}
