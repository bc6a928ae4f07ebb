import AllotConfiguration
import AllotDefinitions
import AllotPages
import AllotSigning
import ArgumentParser

struct DeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "Compare what a tester's device read out with the definitions.",
        usage: "allot device <readout> [<name=value> ...] [<options>]",
        discussion: """
            An app shows its values as a link, as a QR code or as text. The command prints each value next to that of \
            the base and to the one that the definitions give the device's user now, marks those that are not the \
            app's defaults, and compares the variants and the revision. Attributes of the user are given as to allot \
            explain.

            EXAMPLES
              allot device @link.txt
              allot device @link.txt country=DE app_version=4.2.0
              allot device @link.txt --json
            """)

    @Argument(
        help: .value(
            "readout", "The link, what follows readout= in it, or the JSON; @ and a file that contains it."))
    var readout: String
    @Argument(help: .value("name=value", "Attributes of the user. One without a value is missing."))
    var attributes: [String] = []
    @OptionGroup var definitions: DefinitionsOptions
    @OptionGroup var report: ReportOptions<AllForms>

    func run() throws {
        let readout = try DeviceReadout(link: SignatureText.read(readout, of: "a read-out"))
        let (plan, instant) = try definitions.load()
        let comparison = try SubjectArguments.usage { () throws(SubjectError) in
            try DeviceComparison(readout, attributes: attributes, in: plan, at: instant)
        }
        try report.write(comparison.report, json: comparison.json)
    }
}
