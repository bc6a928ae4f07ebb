import AllotAnalysis
import AllotCore
import AllotReports

/// An experiment before and after a commit that changed its revision.
struct ExperimentDifference: Sendable {
    /// The former revision; `nil` where the experiment did not exist.
    let before: String?
    /// The new revision; `nil` where the experiment does not exist any more.
    let after: String?
    let report: ReassignmentReport
    /// `nil` where the experiment never existed until then.
    let pooling: Pooling?

    /// Compares the plans before and after a commit. Returns `nil` if the revision is the same. `known` becomes the
    /// definition of the commit.
    init?(
        of key: String, from old: Plan, to new: Plan, by commit: Commit, _ salts: FormerSalts?,
        _ known: inout ExperimentDefinition?
    ) {
        let index = new.index(of: key)
        before = old.index(of: key).map { old.experiments[$0].revision }
        after = index.map { new.experiments[$0].revision }
        guard before != after else { return nil }
        let definition = index.map { new.definitions.experiments[$0] }
        let warning = definition.flatMap { salts?.warning(about: $0, in: commit.id) }
        report = ReassignmentReport(
            from: old, to: new, at: commit.committed, only: key, salts: warning.map { [key: $0] } ?? [:])
        pooling = known.map { Pooling(from: $0, to: definition) }
        if let definition { known = definition }
    }

    /// The reassignments by the commit, and whether results can be pooled across it, for people.
    func blocks(of key: String) -> [Report.Block] {
        report.blocks(of: key) + [.list(pooling.map { ["results: \($0.text)"] } ?? [])]
    }
}
