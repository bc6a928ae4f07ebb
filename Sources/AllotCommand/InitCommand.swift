import AllotConfiguration
import AllotDefinitions
import AllotFiles
import AllotGit
import ArgumentParser

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write a first base, experiment and test, to begin with.",
        discussion: """
            The three files explain themselves, check without a warning and pass their tests; change them into yours. \
            The folder is new or empty, and gets all of them or none: nothing is ever overwritten. The next commands \
            are printed.

            EXAMPLES
              allot init first
            """)

    @Argument(
        help: .value("folder", "The new folder (default: ALLOT_DEFINITIONS, or \(DefinitionsLoader.defaultFolder))."),
        completion: .directory)
    var given: String?

    private var folder: String { given ?? FolderOptions.standard }

    func validate() throws {
        if folder.isEmpty { throw ValidationError("Name a folder, or leave it out for \(FolderOptions.standard).") }
        guard case .folder? = try? DefinitionsPlace(folder)
        else { throw ValidationError("A revision of Git is not written; name a folder, such as Experiments.") }
    }

    func run() throws {
        let files = Self.files.map { (path: $0.path, bytes: Array("\($0.text)\n".utf8)) }
        do throws(NewFolder.Failure) {
            try NewFolder.fill(folder, with: files, of: "allot-init")
        } catch {
            guard !error.occupants.isEmpty else { throw CommandFailure("\(error)") }
            throw CommandFailure(
                "\(error), and nothing is overwritten: \(error.occupants.listed(atMost: 3)) "
                    + "\(error.occupants.count == 1 ? "is" : "are") in the way; name a new folder: "
                    + "allot init FOLDER")
        }
        let option = folder == FolderOptions.standard ? "" : " --definitions \(folder.shellWord)"
        let names = files.map(\.path).joined(separator: ", ")
        let commands = ["check", "test", "explain user-1 country=DE"].map { "    allot \($0)\(option)" }
        let place = PrintableText(line: folder)
        try StandardOutput.write(["\(names) are in \(place). Read them, and go on with:"] + commands)
    }

    /// The files in an order in which each of them is right with those before it.
    private static let files = [
        (
            path: "base.yaml",
            text: """
            # The configuration of all users, before an experiment changes it. Apps read Checkout.ButtonColor.
            config_sections:
              Checkout:
                settings:
                  # Variants have to match the pattern too; `allot check` refuses other values.
                  ButtonColor: { value: "#1f6feb", pattern: "^#[0-9a-f]{6}$" }
            """
        ),
        (
            path: "buy-button.yaml",
            text: """
            # An experiment. Its key is the name of the file, and each experiment has a file.
            status: running # or draft, paused, concluded
            # Other users keep the base. Without an audience all users are in. Apps send attributes like country.
            audience: { country: { $in: [DE, FR] } }
            variants: # with equal shares, unless they have weights
              - key: control # changes nothing
              - key: green
                overrides: { Checkout: { ButtonColor: "#1a7f37" } }
            """
        ),
        (
            path: "tests/buy-button.yaml",
            text: """
            # `allot test` proves what a case without a unit says for all users, and not for a sample of them.
            at: 2026-12-01T12:00:00Z # the instant of evaluation
            cases:
              - name: half of the users in Germany see the green button
                attributes: { country: DE }
                shares: { buy-button: { control: 50%, green: 50% } }
              - name: no user in the United States is in
                attributes: { country: US }
                expect: { buy-button: none }
              - { name: one user, unit: user-1, attributes: { country: DE }, expect: { buy-button: green } }
            """
        ),
    ]
}
