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
        let count = 100_000
        let works = [
            Stopwatch.Work(name: "read a JSON value by its names", operations: count) {
                var sum: UInt64 = 0
                for _ in 0..<count where configuration.value("Section4", "setting-7") != nil { sum &+= 1 }
                return sum
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
