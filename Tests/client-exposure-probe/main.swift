import AllotClient
import AllotConfiguration
import Foundation

// Arguments: a folder, a file that stands for the server, a name, a number of exposures. Records exposures from several
// tasks, writes the unit of each after it is recorded, and ends when all are sent, or is killed.
guard CommandLine.arguments.count == 5, let count = Int(CommandLine.arguments[4]) else { exit(64) }
let name = CommandLine.arguments[3]

/// Writes what it is sent to the end of a file, and fails now and then before or after.
struct FileSender: ExposureSender {
    let path: String

    func send(_ events: [ExposureEvent]) async throws(RequestError) -> ExposureAnswer {
        let luck = Int.random(in: 0..<10)
        if luck == 0 { throw RequestError(.status(503), "busy") }
        let lines = events.map { "\($0.id) \($0.unit)\n" }.joined()
        let descriptor = open(path, O_WRONLY | O_APPEND)
        guard descriptor >= 0, write(descriptor, lines, lines.utf8.count) == lines.utf8.count else { exit(74) }
        close(descriptor)
        return ExposureAnswer(stored: events.count, duplicates: 0)
    }
}

var options = ExposureOptions()
options.batchSize = 20
options.clock.sleep = { _ in try await Task.sleep(for: .milliseconds(1)) }
let reporter = ExposureReporter(
    folder: URL(filePath: CommandLine.arguments[1]), sender: FileSender(path: CommandLine.arguments[2]),
    options: options)
let assignment = ExperimentAssignment(
    experiment: "checkout-button", variant: "green", reason: "split", revision: "1f0c")

await withTaskGroup(of: Void.self) { group in
    for task in 0..<4 {
        group.addTask {
            for number in 0..<count / 4 {
                let unit = "\(name)-\(task)-\(number)"
                let configuration = Configuration(
                    ConfigurationDocument(sections: [:], meta: [:]), user: ConfigurationUser(unit))
                reporter.record(assignment, in: configuration)
                FileHandle.standardOutput.write(Data("\(unit)\n".utf8))
                if number % 16 == 0 { await Task.yield() }
            }
        }
    }
}
while reporter.waitingCount > 0 { await reporter.flush() }
await reporter.shutdown(within: .seconds(1_000_000))
