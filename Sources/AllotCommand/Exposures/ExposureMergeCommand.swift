import AllotBatch
import AllotConfiguration
import AllotExposures
import ArgumentParser

struct ExposureMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Add the exposures of other stores to a store.",
        usage: "allot exposures merge <store> <other> ... [<options>]",
        discussion: """
            A unit that several stores have counts once, with its first exposure; the order of the stores makes no \
            difference, and merging again adds nothing. The other stores stay as they are.
            """)

    @Argument(help: .value("store", "The store that takes the exposures; it is created if it does not exist."))
    var store: String
    @Argument(help: .value("other", "The stores whose exposures are added.")) var others: [String]
    @OptionGroup var report: ReportOptions<PlainForms>

    func run() throws {
        let (store, others) = (store, others)
        for other in others { try StoreArgument.checkExistence(other) }
        let merged = try Waiting.result {
            try await StoreArgument.withStore(store, isNewAllowed: true) { target in
                var merged: [(name: String, stored: Int, known: Int)] = []
                for other in others {
                    let result = try await StoreArgument.withStore(other) { source in
                        // Unlike the argument, the name has no password.
                        (source.name, try await target.merge(source))
                    }
                    merged.append((result.0, result.1.stored, result.1.duplicates))
                }
                return merged
            }
        }
        try report.write(
            merged.map { "\($0.name): \(counted($0.stored, "new exposure")), \($0.known) known before" },
            json: merged.objects { ["store": $0.name, "stored": $0.stored, "known": $0.known] })
    }
}
