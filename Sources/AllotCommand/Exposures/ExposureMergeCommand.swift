import AllotBatch
import AllotConfiguration
import AllotExposures
import AllotFiles
import ArgumentParser

/// `allot exposures merge`
struct ExposureMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Add the exposures of other stores to a store.",
        discussion: """
            A unit that several stores have counts once, with its first exposure; the order of the stores makes no \
            difference, and merging again adds nothing. The other stores stay as they are.
            """)

    @Argument(help: .value("store", "The store that takes the exposures; it is created if it does not exist."))
    var store: String

    @Argument(help: .value("other", "The stores whose exposures are added."))
    var others: [String]

    func run() throws {
        let (store, others) = (store, others)
        for other in others { try StoreArgument.checkExistence(other) }
        let lines = try Waiting.result {
            try await StoreArgument.withStore(store, isNewAllowed: true) { target in
                var lines: [String] = []
                for other in others {
                    let line = try await StoreArgument.withStore(other) { source in
                        let merged = try await target.merge(source)
                        // Unlike the argument, the name has no password.
                        return "\(source.name): \(counted(merged.stored, "new exposure")), "
                            + "\(merged.duplicates) known before"
                    }
                    lines.append(line)
                }
                return lines
            }
        }
        try StandardOutput.write(lines)
    }
}
