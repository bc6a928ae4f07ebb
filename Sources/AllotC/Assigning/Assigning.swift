// The functions have the names of allot.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AllotCore
public import CAllot

/// Assigns a batch.
@c @implementation
public func allot_assign(
    _ plan: OpaquePointer?, _ options: UnsafePointer<CChar>?, _ schema: UnsafePointer<ArrowSchema>?,
    _ array: UnsafePointer<ArrowArray>?, _ out_schema: UnsafeMutablePointer<ArrowSchema>?,
    _ out_array: UnsafeMutablePointer<ArrowArray>?, _ message: OutputText?
) -> allot_status {
    status(message) {
        guard let out_schema else { throw InterfaceError.missing("out_schema") }
        guard let out_array else { throw InterfaceError.missing("out_array") }
        let assignment = try TableAssignment(plan: try Plan.of(plan), options: options)
        guard !assignment.includesInput else {
            throw InterfaceError.argument("the option input is for allot_assign_stream")
        }
        let output = try assignment.schema(of: schema)
        try assignment.assign(schema, array).export(to: out_array)
        output.export(to: out_schema)
    }
}

/// The schema of an assigned table.
@c @implementation
public func allot_assign_schema(
    _ plan: OpaquePointer?, _ options: UnsafePointer<CChar>?, _ schema: UnsafePointer<ArrowSchema>?,
    _ out_schema: UnsafeMutablePointer<ArrowSchema>?, _ message: OutputText?
) -> allot_status {
    status(message) {
        guard let out_schema else { throw InterfaceError.missing("out_schema") }
        try TableAssignment(plan: try Plan.of(plan), options: options).schema(of: schema).export(to: out_schema)
    }
}

/// Assigns a stream.
@c @implementation
public func allot_assign_stream(
    _ plan: OpaquePointer?, _ options: UnsafePointer<CChar>?, _ input: UnsafeMutablePointer<ArrowArrayStream>?,
    _ output: UnsafeMutablePointer<ArrowArrayStream>?, _ message: OutputText?
) -> allot_status {
    status(message) {
        guard let input else { throw InterfaceError.missing("input") }
        guard let output else { throw InterfaceError.missing("output") }
        let assignment = try TableAssignment(plan: try Plan.of(plan), options: options)
        try AssignmentStream(assignment, taking: input).export(to: output)
    }
}
