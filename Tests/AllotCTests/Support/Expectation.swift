import AllotConfiguration
import AllotCore
import Testing

/// What a table has in each row, as subjects, and what the library must say of it.
struct Expectation {
    let plan: LentPlan
    let subjects: [Subject]
    let instant: Instant
    /// Whether the table has each column that an experiment's unit is in.
    var options = ""

    private var at: String { #""at": "\#(instant)""# }

    /// Compares all layouts with the decisions of single subjects.
    func check(_ table: ArrowColumn, misalignment: Int = 0, _ comment: Comment? = nil) throws {
        let lent = LentColumn(table, misalignment: misalignment)
        let decided = subjects.map { plan.plan.assignments(for: $0, at: instant) }
        let wide = try plan.assign(lent, #"{\#(at), "reason": true, "bucket": true\#(options)}"#)
        let keys = wide.names.filter { !$0.hasSuffix(".reason") && !$0.hasSuffix(".bucket") }
        for key in keys {
            let index = try #require(plan.plan.index(of: key))
            #expect(wide.column(key) == decided.map { $0[index].variant }, comment)
            #expect(wide.column(key + ".reason") == decided.map { $0[index].reason.text }, comment)
            #expect(wide.column(key + ".bucket") == decided.map { $0[index].bucket.map(String.init) }, comment)
        }
        // An experiment without a column assigns nothing.
        for (index, experiment) in plan.plan.experiments.enumerated() where !keys.contains(experiment.key) {
            #expect(decided.allSatisfy { $0[index].variant == nil }, comment)
        }
        let long = try plan.assign(lent, #"{\#(at), "layout": "long", "all": true\#(options)}"#)
        let all = decided.enumerated().flatMap { row, assignments in assignments.map { (row, $0) } }
        #expect(long.column("row") == all.map { String($0.0) }, comment)
        #expect(long.column("experiment") == all.map(\.1.experiment), comment)
        #expect(long.column("variant") == all.map(\.1.variant), comment)
        #expect(long.column("reason") == all.map(\.1.reason.text), comment)
        #expect(long.column("bucket") == all.map { $0.1.bucket.map(String.init) }, comment)
        #expect(long.column("revision") == all.map(\.1.revision), comment)
        let assigned = try plan.assign(lent, #"{\#(at), "layout": "long"\#(options)}"#)
        #expect(assigned.column("row") == all.filter { $0.1.variant != nil }.map { String($0.0) }, comment)
        #expect(assigned.column("variant") == all.compactMap(\.1.variant), comment)
        for threads in [2, 4] {
            let several = try plan.assign(
                lent, #"{\#(at), "layout": "long", "all": true, "threads": \#(threads)\#(options)}"#)
            #expect(several.cells == long.cells, comment)
            let several2 = try plan.assign(
                lent, #"{\#(at), "reason": true, "bucket": true, "threads": \#(threads)\#(options)}"#)
            #expect(several2.cells == wide.cells, comment)
        }
        #expect(lent.arrayReleases == 0)
        #expect(lent.schemaReleases == 0)
    }
}
