// The functions have the names of allot.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AllotConfiguration
import AllotCore
import AllotDefinitions
public import CAllot

/// The version of the interface.
@c @implementation
public func allot_abi_version() -> UInt32 { UInt32(ALLOT_ABI_VERSION) }

/// The address of the version as a text that stays.
private let version = UInt(bitPattern: AllotVersion.number.copyForC())

/// The version of Allot.
@c @implementation
public func allot_version() -> UnsafePointer<CChar>? { UnsafePointer(bitPattern: version) }

/// Releases a text.
@c @implementation
public func allot_text_release(_ text: UnsafeMutablePointer<CChar>?) { text?.deallocate() }

/// Loads a folder.
@c @implementation
public func allot_load_folder(
    _ folder: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ plan: UnsafeMutablePointer<OpaquePointer?>?,
    _ message: OutputText?
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
    _ plan: UnsafeMutablePointer<OpaquePointer?>?, _ message: OutputText?
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
    _ folder: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ report: OutputText?, _ message: OutputText?
) -> allot_status {
    status(report, message) {
        let folder = try text(folder, "folder")
        let loader = try DefinitionsLoader(options: options)
        return try CheckReport(of: folder) { try loader.load(folder: folder) }.text
    }
}

/// Checks files in memory.
@c @implementation
public func allot_check_files(
    _ files: UnsafePointer<allot_file>?, _ count: Int, _ options: UnsafePointer<CChar>?, _ report: OutputText?,
    _ message: OutputText?
) -> allot_status {
    status(report, message) {
        let loader = try DefinitionsLoader(options: options)
        let sources = try sources(files, count, allowsEmpty: loader.limits.allowsEmpty)
        return try CheckReport(of: "") { try loader.load(sources) }.text
    }
}

/// Describes a plan.
@c @implementation
public func allot_plan_describe(_ plan: OpaquePointer?, _ json: OutputText?, _ message: OutputText?) -> allot_status {
    status(json, message) { try Plan.of(plan).description.canonicalText }
}

/// The report of a check of a plan's files.
@c @implementation
public func allot_plan_report(_ plan: OpaquePointer?, _ report: OutputText?, _ message: OutputText?) -> allot_status {
    status(report, message) { try PlanHandle.of(plan).report }
}

/// The files of a plan.
@c @implementation
public func allot_plan_files(_ plan: OpaquePointer?, _ json: OutputText?, _ message: OutputText?) -> allot_status {
    status(json, message) {
        var files = JSONObject()
        for source in try PlanHandle.of(plan).sources {
            files[source.name] = .string(String(decoding: source.bytes, as: UTF8.self))
        }
        return JSONValue.object(files).canonicalText
    }
}

private func sources(_ files: UnsafePointer<allot_file>?, _ count: Int, allowsEmpty: Bool) throws -> [DefinitionSource]
{
    guard count >= 0, files != nil || count == 0 else { throw InterfaceError.missing("files") }
    guard count > 0 || allowsEmpty else {
        throw InterfaceError.argument(
            "files is empty, with which no unit would be assigned; give files of definitions, or add allow_empty if "
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
    let loader = try DefinitionsLoader(options: options)
    do {
        let (loaded, sources) = try load(loader)
        return PlanHandle(loaded.plan, sources: sources, report: try CheckReport(of: folder) { loaded }.text).pointer()
    } catch let error as DefinitionsError {
        guard case .invalid = error else { throw error }
        throw InterfaceError.definitions(try CheckReport(of: folder) { throw error }.text)
    }
}

extension DefinitionsLoader {
    fileprivate init(options pointer: UnsafePointer<CChar>?) throws {
        var options = try Options(pointer)
        var limits = DefinitionLimits()
        limits.allowsEmpty = try options.flag("allow_empty")
        limits.settings = try options.number("max_settings", in: 0...Int(Int32.max)) ?? limits.settings
        limits.valueBytes = try options.number("max_value_bytes", in: 0...Int(Int32.max)) ?? limits.valueBytes
        try options.finish()
        self.init(limits: limits)
    }
}

extension CheckReport {
    fileprivate init(of folder: String, _ load: () throws -> LoadedDefinitions) throws {
        try self.init(of: folder, format: .json, load)
    }

    fileprivate var text: String { json.prettyText }
}

/// The object that a caller points to: a plan, and the files from which it was loaded.
package final class PlanHandle: Sendable {
    let plan: Plan
    /// The files, all of one state of the folder.
    let sources: [DefinitionSource]
    let report: String

    package init(_ plan: Plan, sources: [DefinitionSource], report: String) {
        (self.plan, self.sources, self.report) = (plan, sources, report)
    }

    package func pointer() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

    static func of(_ pointer: OpaquePointer?) throws -> PlanHandle {
        guard let pointer else { throw InterfaceError.missing("plan") }
        return Unmanaged<PlanHandle>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }
}

extension Plan {
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
