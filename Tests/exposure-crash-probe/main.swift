import AllotExposures
import AllotPostgreSQL
import Foundation

// Arguments: a location, a seed, and `patient` if batches that fail are sent again. Stores batches from several tasks
// and writes the name of each after it is acknowledged, until it is killed. With the seed `none` it only opens the
// store, which may have to be migrated.
guard (3...4).contains(CommandLine.arguments.count) else { exit(64) }
let store = try ExposureStore(location: CommandLine.arguments[1])
let seed = CommandLine.arguments[2]
let isPatient = CommandLine.arguments.last == "patient"
if seed == "none" {
    await store.shutdown()
    exit(0)
}

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
                while true {
                    do {
                        _ = try await store.record(exposures)
                        break
                    } catch ExposureStoreError.storage where isPatient {
                        try? await Task.sleep(for: .milliseconds(20))
                    } catch {
                        FileHandle.standardError.write(Data("\(error)\n".utf8))
                        exit(1)
                    }
                }
                FileHandle.standardOutput.write(Data("\(name)\n".utf8))
            }
        }
    }
}
