import AllotConfiguration
import AllotFiles
import AllotImport
import AllotSigning
import ArgumentParser

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the experiments of another system, so that no unit changes its variant.",
        usage: "allot import <system> <payload> -o <folder> [<options>]",
        discussion: """
            Reads what the system's own SDKs download, because that has the exact salts and ranges, and writes \
            definitions that decide as they do: the same hash, the same salt, the same ranges. A flag becomes the \
            setting of its name in the section Flags. A flag that cannot be exact is an error that says why; with \
            --skip-inexact it is left out and reported. --column gives attributes the names that they have here. The \
            report goes to standard output; allot import-verify compares the definitions with what was recorded.

            PAYLOADS
            \(payloads)

            EXAMPLES
              allot import growthbook features.json --column user_id=id -o Moved
              curl -s "$FEATURES_URL" | allot import growthbook - -o Moved
              allot import eppo config.json --skip-inexact --format markdown -o Moved
            """)

    private static var payloads: String {
        let lines = ImportSystem.allCases.map { "  \($0.rawValue.rightPadded(to: 12))  \($0.source)" }
        return lines.joined(separator: "\n")
    }

    @Argument(help: "The other system.") var system: ImportSystem
    @Argument(help: "The payload that the system's SDK downloads; - is standard input.", completion: .file())
    var payload: String
    @Option(name: .shortAndLong, help: .value("folder", "The new folder of definitions."), completion: .directory)
    var output: String
    @Option(help: .value("name", "The section of the settings that flags become."))
    var section = PayloadImport.defaultSection
    @Option(name: .customLong("column"), help: .column, transform: NamePair.init(argument:))
    var columns: [NamePair] = []
    @Option(help: .value("@file", "The key of an encrypted payload: @ and the file that contains it."))
    var decryptionKey: String?
    @Option(help: .value("hash", "The hash of flagd's fractional: daemon, also of Java, JavaScript and .NET, or cbor."))
    var fractional: FlagdHash?
    @Flag(help: "Leave out the flags that cannot be exact, and report them.") var skipInexact = false
    @Flag(help: "GrowthBook: the app has no store of sticky buckets, so their fields change nothing.")
    var withoutSticky = false
    @OptionGroup var report: FormOptions<AllForms>

    func validate() throws {
        if output == "-" { throw ValidationError("An import writes a folder of files; name one with --output.") }
        guard !section.isEmpty, !section.contains(".")
        else { throw ValidationError("A section's name is not empty and contains no \".\".") }
        if let decryptionKey, !decryptionKey.hasPrefix("@") {
            throw ValidationError("--decryption-key takes @ and a file, so that no list of processes shows the key.")
        }
        guard fractional == nil || system == .flagd
        else { throw ValidationError("--fractional is for flagd only; leave it out.") }
        guard system == .growthbook || !withoutSticky
        else { throw ValidationError("--without-sticky is for growthbook only; leave it out.") }
    }

    func run() throws {
        let conversion = try conversion()
        let bytes = try InputFile(path: payload).readAll(limit: .max) ?? []
        do {
            let imported = try conversion.definitions(from: bytes)
            let found = imported.report
            if found.importedCount > 0 { try imported.write(to: output) }
            try report.write(found.report, json: found.json)
            if found.importedCount == 0 {
                StandardError.write(CommandFailure("No flag was imported, and no folder was written.").message)
                throw ExitCode.failure
            }
        } catch ImportError.inexact(let problems) {
            throw CommandFailure(
                "\(counted(problems.count, "flag")) cannot be imported exactly (--skip-inexact leaves "
                    + "\(problems.count == 1 ? "it" : "them") out):\n\(ImportError.inexact(problems))")
        } catch ImportError.attribute(let message) {
            throw CommandFailure("\(message) (--column)")
        } catch let error as ImportOutputError { throw CommandFailure("\(error); name another folder with -o") }
    }

    private func conversion() throws -> PayloadImport {
        var conversion = PayloadImport(of: system)
        conversion.section = section
        for (ours, theirs) in try NamePair.dictionary(columns) {
            guard conversion.attributes.updateValue(ours, forKey: theirs) == nil
            else { throw UsageFailure("--column gives \(QuotedText(theirs)) two names; keep one.") }
        }
        conversion.key = try decryptionKey.map { try SignatureText.read($0, of: "a key") }
        conversion.flagdHash = fractional ?? conversion.flagdHash
        (conversion.hasStickyBuckets, conversion.skipsInexact) = (!withoutSticky, skipInexact)
        return conversion
    }
}

extension ImportSystem: ExpressibleByArgument {}
extension FlagdHash: ExpressibleByArgument {}
