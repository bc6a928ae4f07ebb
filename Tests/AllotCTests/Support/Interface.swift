import AllotC
import AllotCore
import AllotDefinitions
import CAllot
import Foundation
import Testing

/// The root of the repository.
let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

/// What a function of the interface reports as a failure.
struct Failure: Error, CustomStringConvertible {
    let status: Int
    let message: String

    var description: String { "status \(status): \(message)" }
}

/// Calls a function with a place for its message, and throws what it reports.
func call(_ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> allot_status) throws {
    var message: UnsafeMutablePointer<CChar>?
    let status = body(&message)
    defer { allot_text_release(message) }
    guard status != ALLOT_OK else {
        if let message { throw Failure(status: -1, message: "success has a message: \(String(cString: message))") }
        return
    }
    throw Failure(status: Int(status), message: message.map { String(cString: $0) } ?? "(no message)")
}

/// Calls a function that gives out a text.
func text(
    _ body: (
        UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> allot_status
) throws -> String {
    var output: UnsafeMutablePointer<CChar>?
    defer { allot_text_release(output) }
    try call { body(&output, $0) }
    return output.map { String(cString: $0) } ?? "(no text)"
}

/// Gives `body` the plan of the sample definitions, and releases it.
func withPlan<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    let folder = root.appending(path: "Experiments").path
    var plan: OpaquePointer?
    defer { allot_plan_release(plan) }
    try call { allot_load_folder(folder, nil, &plan, $0) }
    return try body(try #require(plan))
}

/// A plan as C code holds it, and as Swift code does.
final class LentPlan {
    let pointer: OpaquePointer
    let plan: Plan

    /// Lends a plan that no file could give.
    init(_ plan: Plan) {
        self.plan = plan
        pointer = PlanHandle(plan, sources: [], report: "").pointer()
    }

    /// Loads files that are in memory.
    init(_ files: [(name: String, text: String)], options: String? = nil) throws {
        plan = try DefinitionsLoader().load(
            files.map { DefinitionSource(name: $0.name, bytes: Array($0.text.utf8)) }
        ).plan
        var plan: OpaquePointer?
        try withFiles(files) { start, count in
            try call { allot_load_files(start, count, options, &plan, $0) }
        }
        pointer = try #require(plan)
    }

    /// Experiments with nothing else than a base.
    convenience init(experiments: [(key: String, text: String)], others: [(name: String, text: String)] = []) throws {
        try self.init(
            [("base.yaml", "config_sections: {}\n")] + others + experiments.map { ("\($0.key).yaml", $0.text) }
        )
    }

    /// One running experiment, `e`, with the variant `a`.
    convenience init(running text: String) throws {
        try self.init(experiments: [("e", "status: running\nvariants: [{ key: a }]\n\(text)\n")])
    }

    deinit { allot_plan_release(pointer) }

    func assign(_ table: ArrowColumn, _ options: String? = nil, misalignment: Int = 0) throws -> AssignedTable {
        try assign(LentColumn(table, misalignment: misalignment), options)
    }

    func assign(_ table: LentColumn, _ options: String? = nil) throws -> AssignedTable {
        let output = AssignedTable()
        try withExtendedLifetime(table) {
            try call { allot_assign(pointer, options, table.schema, table.array, &output.schema, &output.array, $0) }
        }
        return output
    }

    /// Expects that a table is refused.
    func refusal(
        of table: LentColumn, _ options: String? = nil, at location: SourceLocation = #_sourceLocation
    ) -> Failure {
        let failure = #expect(throws: Failure.self, sourceLocation: location) { try assign(table, options) }
        return failure ?? Failure(status: 0, message: "(no failure)")
    }

    func refusal(
        of table: ArrowColumn, _ options: String? = nil, at location: SourceLocation = #_sourceLocation
    ) -> Failure { refusal(of: LentColumn(table), options, at: location) }

    func schema(_ table: ArrowColumn, _ options: String? = nil) throws -> AssignedTable {
        let output = AssignedTable()
        let table = LentColumn(table)
        try withExtendedLifetime(table) {
            try call { allot_assign_schema(pointer, options, table.schema, &output.schema, $0) }
        }
        return output
    }
}

/// Lends files in memory.
func withFiles<Result>(
    _ files: [(name: String, text: String)], _ body: (UnsafePointer<allot_file>?, Int) throws -> Result
) rethrows -> Result {
    var (names, bytes): ([UnsafeMutablePointer<CChar>], [UnsafeMutableBufferPointer<UInt8>]) = ([], [])
    defer {
        for name in names { name.deallocate() }
        for bytes in bytes { bytes.deallocate() }
    }
    for file in files {
        let name = UnsafeMutablePointer<CChar>.allocate(capacity: file.name.utf8.count + 1)
        for (index, byte) in (Array(file.name.utf8) + [0]).enumerated() { name[index] = CChar(bitPattern: byte) }
        names.append(name)
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: file.text.utf8.count)
        _ = copy.initialize(from: file.text.utf8)
        bytes.append(copy)
    }
    let structures = zip(names, bytes).map { allot_file(path: $0, bytes: $1.baseAddress, length: $1.count) }
    return try structures.withUnsafeBufferPointer { try body($0.baseAddress, $0.count) }
}
