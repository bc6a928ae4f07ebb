import Allot
import AllotConfiguration
import AllotDefinitions
import ArgumentParser

/// The contents of a token for one device.
struct DeviceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The ID that the app on the device gives itself.", valueName: "id"))
    var device: String?

    @Option(help: "The app, such as its bundle identifier.")
    var app: String?

    @Option(help: ArgumentHelp("How long it is valid: 90s, 30m, 12h, 7d, 2w (default: 7d).", valueName: "time"))
    var expires: Lifetime?

    @Flag(help: "Remove the values that an earlier token applied.")
    var reset = false

    @Option(
        name: .customLong("variant"),
        help: ArgumentHelp(
            "Report this variant for the device. Its settings are read from --definitions; without it, put them into "
                + "the file.",
            valueName: "experiment=variant"))
    var variants: [String] = []

    @Option(
        help: ArgumentHelp(
            "Check the values against the base configuration of this folder, and add the overrides of the variants.",
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
            throw ValidationError("A token is for one device and one app; give both --device and --app.")
        }
        guard !reset || variants.isEmpty else { throw ValidationError("A reset has no variants; leave --variant out.") }
        _ = try variantMembers()
    }

    /// Whether a token is requested.
    var isGiven: Bool { device != nil }

    /// Whether an option is given that only applies to tokens.
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
            let loaded = try limits.loader(at: at ?? .now).load(folder: definitions)
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
                throw ValidationError("\"\(pair)\" is not a variant; write it as experiment=variant.")
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
            throw CommandFailure("\(shown): this is not an object; write {\"SECTION\": {\"SETTING\": value}}")
        }
        return values
    }
}

/// A period of validity on the command line: `7d`, `12h`, `30m`, `90s`.
struct Lifetime: ExpressibleByArgument {
    let seconds: Int64
    let defaultValueDescription: String

    private static let units: [(name: Character, seconds: Int64)] = [
        ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800),
    ]

    /// The longest lifetime, a century: more is a mistake, and sums do not overflow.
    private static let limit: Int64 = 36_525 * 86_400

    init?(argument: String) {
        guard let unit = Self.units.first(where: { $0.name == argument.last }) else { return nil }
        let digits = argument.dropLast()
        guard digits.allSatisfy(\.isASCII), digits.allSatisfy(\.isNumber), let count = Int64(digits), count > 0,
            count <= Self.limit / unit.seconds
        else { return nil }
        seconds = count * unit.seconds
        defaultValueDescription = argument
    }
}
