// The functions have the names of allot.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AllotConfiguration
import AllotCore
import AllotDefinitions
public import CAllot

/// The version of the interface.
@c @implementation
public func allot_abi_version() -> UInt32 {
    UInt32(ALLOT_ABI_VERSION)
}

private let version = StaticVersion(AllotVersion.number)

/// The version as a text that stays.
private struct StaticVersion: Sendable {
    private let address: UInt

    init(_ text: String) {
        address = UInt(bitPattern: text.copyForC())
    }

    var pointer: UnsafePointer<CChar>? { UnsafePointer(bitPattern: address) }
}

/// The version of Allot.
@c @implementation
public func allot_version() -> UnsafePointer<CChar>? {
    version.pointer
}

/// Releases a text.
@c @implementation
public func allot_text_release(_ text: UnsafeMutablePointer<CChar>?) {
    text?.deallocate()
}

/// Loads a folder.
@c @implementation
public func allot_load_folder(
    _ folder: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ plan: UnsafeMutablePointer<OpaquePointer?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> allot_status {
    status(message) {
        guard let plan else { throw InterfaceError.missing("plan") }
        let folder = try text(folder, "folder")
        plan.pointee = try load(options, folder: folder) { loader in try loader.loadWithSources(folder: folder) }
    }
}

/// Loads files in memory.
@c @implementation
public func allot_load_files(
    _ files: UnsafePointer<allot_file>?, _ count: Int, _ options: UnsafePointer<CChar>?,
    _ plan: UnsafeMutablePointer<OpaquePointer?>?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> allot_status {
    status(message) {
        guard let plan else { throw InterfaceError.missing("plan") }
        plan.pointee = try load(options, folder: "") { loader in
            let sources = try sources(files, count, allowsEmpty: loader.limits.allowsEmpty)
            return (try loader.load(sources), sources)
        }
    }
}

/// Releases a plan.
@c @implementation
public func allot_plan_release(_ plan: OpaquePointer?) {
    if let plan { Unmanaged<PlanHandle>.fromOpaque(UnsafeRawPointer(plan)).release() }
}

/// Checks a folder.
@c @implementation
public func allot_check_folder(
    _ folder: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?,
    _ report: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> allot_status {
    status(report, message) {
        let folder = try text(folder, "folder")
        return try Options.reading(options) { options in
            let loader = try options.loader()
            return options.renamed(try CheckReport(of: folder) { try loader.load(folder: folder) }.text)
        }
    }
}

/// Checks files in memory.
@c @implementation
public func allot_check_files(
    _ files: UnsafePointer<allot_file>?, _ count: Int, _ options: UnsafePointer<CChar>?,
    _ report: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> allot_status {
    status(report, message) {
        try Options.reading(options) { options in
            let loader = try options.loader()
            let sources = try sources(files, count, allowsEmpty: loader.limits.allowsEmpty)
            return options.renamed(try CheckReport(of: "") { try loader.load(sources) }.text)
        }
    }
}

/// Describes a plan.
@c @implementation
public func allot_plan_describe(
    _ plan: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> allot_status {
    status(json, message) { try Plan.of(plan).description.canonicalText }
}

/// The report of a check of what a plan was loaded from.
@c @implementation
public func allot_plan_report(
    _ plan: OpaquePointer?, _ report: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> allot_status {
    status(report, message) { try PlanHandle.of(plan).report }
}

/// The files that a plan was loaded from.
@c @implementation
public func allot_plan_files(
    _ plan: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> allot_status {
    status(json, message) {
        var files = JSONObject()
        for source in try PlanHandle.of(plan).sources {
            files[source.name] = .string(String(decoding: source.bytes, as: UTF8.self))
        }
        return JSONValue.object(files).canonicalText
    }
}

/// The files that a caller gives.
private func sources(
    _ files: UnsafePointer<allot_file>?, _ count: Int, allowsEmpty: Bool
) throws -> [DefinitionSource] {
    guard count >= 0, files != nil || count == 0 else { throw InterfaceError.missing("files") }
    guard count > 0 || allowsEmpty else {
        throw InterfaceError.argument(
            "files is empty, with which no unit would be assigned; give files of definitions, or add --allow-empty if "
                + "that is intended")
    }
    return try UnsafeBufferPointer(start: files, count: count).enumerated().map { index, file in
        let name = try text(file.path, "files[\(index)].path")
        guard DefinitionsFolder.reads(name) else {
            throw InterfaceError.argument(
                "\(QuotedText(name)) is not a file of definitions; their names end in .yaml, .yml or .json and do not "
                    + "begin with a dot, so leave it out")
        }
        guard file.bytes != nil || file.length == 0 else { throw InterfaceError.missing("files[\(index)].bytes") }
        return DefinitionSource(name: name, bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.length)))
    }
}

/// Loads a plan and gives the caller a reference to it.
private func load(
    _ options: UnsafePointer<CChar>?, folder: String,
    _ load: (DefinitionsLoader) throws -> (loaded: LoadedDefinitions, sources: [DefinitionSource])
) throws -> OpaquePointer {
    try Options.reading(options) { options in
        let loader = try options.loader()
        do {
            let (loaded, sources) = try load(loader)
            let report = try CheckReport(of: folder) { loaded }.text
            return PlanHandle(loaded.plan, sources: sources, report: options.renamed(report)).pointer()
        } catch let error as DefinitionsError {
            guard case .invalid = error else { throw error }
            throw InterfaceError.definitions(try CheckReport(of: folder) { throw error }.text)
        }
    }
}

extension Options {
    /// A loader with the limits that are among the options, which are all that is known.
    fileprivate mutating func loader() throws -> DefinitionsLoader {
        let loader = DefinitionsLoader(limits: try limits())
        try finish()
        return loader
    }
}

extension CheckReport {
    fileprivate init(of folder: String, _ load: () throws -> LoadedDefinitions) throws {
        try self.init(of: folder, format: .json, load)
    }

    fileprivate var text: String {
        lines(version: AllotVersion.number).joined(separator: "\n")
    }
}

/// What a caller has a pointer to: a plan, and what it was loaded from.
package final class PlanHandle: Sendable {
    let plan: Plan
    /// The files, all of one state of the folder.
    let sources: [DefinitionSource]
    /// The report of their check when they were loaded.
    let report: String

    package init(_ plan: Plan, sources: [DefinitionSource], report: String) {
        (self.plan, self.sources, self.report) = (plan, sources, report)
    }

    /// The reference of a caller.
    package func pointer() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

    static func of(_ pointer: OpaquePointer?) throws -> PlanHandle {
        guard let pointer else { throw InterfaceError.missing("plan") }
        return Unmanaged<PlanHandle>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }
}

extension Plan {
    /// The plan of a caller.
    static func of(_ pointer: OpaquePointer?) throws -> Plan { try PlanHandle.of(pointer).plan }

    fileprivate var description: JSONValue {
        let experiments = experiments.map { experiment -> JSONValue in
            [
                "key": .string(experiment.key), "revision": .string(experiment.revision),
                "unit": .text(experiment.unit), "status": .string(experiment.status.rawValue),
                "variants": .strings(experiment.variants.map(\.key)),
            ]
        }
        return [
            "revision": .string(revision), "experiments": .array(experiments), "attributes": .strings(attributes.names),
            "units": .strings(units().sorted(by: UTF8Order.precedes)),
        ]
    }
}
