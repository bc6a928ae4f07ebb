import AllotExposures
import Foundation

// Arguments: a file, a seed. Stores batches from several tasks and writes the number of each after it is acknowledged,
// until it is killed.
guard CommandLine.arguments.count == 3 else { exit(64) }
let store = try ExposureStore(CommandLine.arguments[1])
let seed = CommandLine.arguments[2]

await withTaskGroup(of: Void.self) { group in
    for task in 0..<4 {
        group.addTask {
            for batch in 0..<1_000_000 {
                let name = "\(seed)-\(task)-\(batch)"
                let exposures = (0..<10).map { index in
                    Exposure(
                        id: "event-\(name)-\(index)", unit: "unit-\(name)-\(index)", experiment: "checkout",
                        salt: "checkout", variant: index % 2 == 0 ? "control" : "treatment", at: Int64(batch))
                }
                do {
                    _ = try await store.record(exposures)
                    FileHandle.standardOutput.write(Data("\(name)\n".utf8))
                } catch {
                    FileHandle.standardError.write(Data("\(error)\n".utf8))
                    exit(1)
                }
            }
        }
    }
}
