import Allot
import AllotConfiguration
import AllotDefinitions
import ArgumentParser

/// What a token says to one device.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The one device, by the ID that its app gives itself.", valueName: "id"))
    var device: String?

    @Option(help: "The app, such as its bundle identifier.")
    var app: String?

    @Option(help: ArgumentHelp("How long it is in force: 90s, 30m, 12h, 7d, 2w (default: 7d).", valueName: "time"))
    var expires: Lifetime?

    @Flag(help: "Take back what was applied.")
    var reset = false

    @Option(
        name: .customLong("variant"),
        help: ArgumentHelp(
            "The device counts as this variant. Its settings come from --definitions; without them, give them in the file.",
            valueName: "experiment=variant"))
    var variants: [String] = []

    @Option(
        help: ArgumentHelp(
            "Check the values against this folder's base configuration, and add what its variants set.",
            valueName: "folder"),
        completion: .directory)
    var definitions: String?

    @Option(
        help: ArgumentHelp(
            "The instant of issue, such as 2026-11-21T12:00:00Z (default: now).", valueName: "instant"),
        transform: Instant.init(argument:))
    var at: Instant?

    @OptionGroup(visibility: .hidden)
    var limits: LimitOptions

    func validate() throws {
        guard (device == nil) == (app == nil) else {
            throw ValidationError("A token is for one device and one app; give both, --device and --app.")
        }
        guard !reset || variants.isEmpty else { throw ValidationError("A reset has no variants; leave --variant out.") }
        _ = try variantMembers()
    }

    /// Whether a token is asked for.
    var isGiven: Bool { device != nil }

    /// Whether anything is given that only a token has.
    var hasDetails: Bool { reset || expires != nil || !variants.isEmpty || definitions != nil || at != nil }

    /// The payload.
    ///
    /// - Parameters:
    ///   - content: the bytes of the file of values.
    ///   - name: the name of that file.
    func payload(_ content: [UInt8]?, name: String) throws -> DevicePayload {
        var values = try content.map { try Self.values($0, name: name) } ?? [:]
        let variants = try variantMembers()
        if let definitions {
            let loaded = try limits.load(folder: definitions, at: at ?? .now)
            let problems = loaded.problems(ofValues: values) + loaded.problems(ofVariants: variants)
            guard problems.isEmpty else { throw CommandFailure(listing: problems) }
            values = VariantSettings(loaded, variants).adding(values)
        }
        let issued = (at ?? .now).seconds
        let end = issued + (expires?.seconds ?? DevicePayload.defaultLifetime)
        do throws(DevicePayloadError) {
            if reset {
                return try DevicePayload(resetting: device ?? "", app: app ?? "", issued: issued, expires: end)
            }
            return try DevicePayload(
                app: app ?? "", device: device ?? "", issued: issued, expires: end, applying: values, variants: variants
            )
        } catch {
            throw CommandFailure(listing: error.problems.map(\.message))
        }
    }

    private func variantMembers() throws -> JSONObject {
        var members: JSONObject = [:]
        for pair in variants {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw ValidationError("\"\(pair)\" is no variant; write it as experiment=variant.")
            }
            guard members[parts[0]] == nil else {
                throw ValidationError("The variant of \(parts[0]) is given twice; keep one.")
            }
            members[parts[0]] = .string(parts[1])
        }
        return members
    }

    private static func values(_ bytes: [UInt8], name: String) throws -> JSONObject {
        let shown = name == "-" ? "standard input" : name
        let json: JSONValue
        do {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw CommandFailure("\(shown):\(error)")
        }
        guard case .object(let values) = json else {
            throw CommandFailure("\(shown): this is no object; write {\"SECTION\": {\"SETTING\": value}}")
        }
        return values
    }
}
