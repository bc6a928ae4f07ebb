import AllotConfiguration
import AllotCore
import AllotDefinitions
import ArgumentParser

struct DeviceOptions: ParsableArguments {
    @Option(help: .device) var device: String?
    @Option(help: .app) var app: String?
    @Option(
        help: .value("time", "How long it is valid: 90s, 30m, 12h, 7d, 2w (default: 7d)."),
        transform: TimeSpan.init(argument:))
    var expires: TimeSpan?
    @Flag(help: "Remove the values that an earlier token applied.") var reset = false
    @Option(
        name: .customLong("variant"),
        help: .value(
            "experiment=variant",
            "Report this variant for the device. Its settings are read from --definitions; without it, put them into "
                + "the file."), completion: .names(of: .assignments))
    var variants: [String] = []
    @OptionGroup var folder: FolderOptions
    @Option(help: .instant("The instant of evaluation"), transform: Instant.init(argument:)) var at: Instant?

    func validate() throws {
        guard (device == nil) == (app == nil)
        else { throw ValidationError("A token is for one device and one app; give both --device and --app.") }
        guard !reset || variants.isEmpty else { throw ValidationError("A reset has no variants; leave --variant out.") }
        _ = try variantMembers()
    }

    /// Whether an option is given that only applies to tokens.
    var hasDetails: Bool { reset || expires != nil || !variants.isEmpty || folder.given != nil || at != nil }

    func payload(file: String?, _ content: [UInt8]) throws -> DevicePayload {
        let instant = at ?? .now
        var values = try file.map { try Self.values($0 == "-" ? "standard input" : $0, content) } ?? [:]
        let variants = try variantMembers()
        if folder.isNamed {
            let loaded = try folder.load(at: instant)
            let problems = loaded.problems(ofValues: values) + loaded.problems(ofVariants: variants)
            guard problems.isEmpty else { throw CommandFailure(problems) }
            values = VariantSettings(loaded.definitions, variants).adding(values)
        }
        let (device, app, issued) = (device ?? "", app ?? "", instant.seconds)
        let end = issued + (expires?.seconds ?? DevicePayload.defaultLifetime)
        do {
            return try reset
                ? DevicePayload(resetting: device, app: app, issued: issued, expires: end)
                : DevicePayload(
                    app: app, device: device, issued: issued, expires: end, applying: values, variants: variants)
        } catch { throw CommandFailure(error.problems.map(\.message)) }
    }

    private func variantMembers() throws -> JSONObject {
        var members: JSONObject = [:]
        for pair in variants {
            guard let (experiment, variant) = pair.namedValue, !variant.isEmpty
            else { throw ValidationError("\(QuotedText(pair)) is not a variant; write it as experiment=variant.") }
            guard members[experiment] == nil
            else { throw ValidationError("The variant of \(experiment) is given twice; keep one.") }
            members[experiment] = .string(variant)
        }
        return members
    }

    private static func values(_ name: String, _ bytes: [UInt8]) throws -> JSONObject {
        do throws(JSONParsingError) {
            if let values = try JSONValue(parsing: bytes).asObject { return values }
        } catch { throw CommandFailure("\(name):\(error)") }
        throw CommandFailure("\(name): this is not an object; write {\"SECTION\": {\"SETTING\": value}}")
    }
}

extension ArgumentHelp {
    static var device: ArgumentHelp { .value("id", "The ID of the device, as the app on it reports it.") }
    static var app: ArgumentHelp { "The app, such as its bundle identifier." }
    static var key: ArgumentHelp { .value("file", "The file of the private key, PEM.") }
    static var publicKeys: ArgumentHelp { .value("file", "The file of public keys, PEM.") }
}
