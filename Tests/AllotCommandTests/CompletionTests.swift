import Foundation
import TestSupport
import Testing

@testable import AllotCommand

/// The names of definitions that a shell offers.
@Suite(.blocks) struct CompletionTests {
    @Test("Names are those of the folder that the words choose")
    func names() {
        let folder = ["--definitions", Shop.folder.path]
        func names(of kind: DefinitionsCompletion, _ words: String...) -> [String] {
            kind.names(for: ["allot"] + words + folder)
        }
        #expect(names(of: .experiments, "show", "") == Shop.experiments)
        #expect(names(of: .layers, "slots", "").contains("checkout"))
        #expect(names(of: .settings, "list", "--setting", "").contains { $0.contains(".") })
        #expect(names(of: .settings, "list", "--setting", "").contains { !$0.contains(".") })
        let all = names(of: .variants, "srm", "--ignore-variant", "")
        let some = names(of: .variants, "reweight", "checkout-button", "--close", "")
        #expect(!some.isEmpty && Set(some).isStrictSubset(of: all))
        #expect(names(of: .shares, "reweight", "checkout-button", "") == some.map { $0 + "=" })
    }

    @Test("A folder is found in every form of the words that shells pass on")
    func folders() throws {
        let workspace = try Workspace.withButton()
        let path = workspace.url.appending(path: "Experiments").path
        for words in [
            ["--definitions", path], ["-d", path], ["--definitions=\(path)"], ["--definitions", "=", path],
            ["--definitions", "'\(path)'"], ["--definitions", "nowhere", "--definitions", path],
        ] {
            #expect(DefinitionsCompletion.experiments.names(for: ["allot", "show"] + words) == ["button"], "\(words)")
        }
        withExtendedLifetime(workspace) {}
    }

    @Test(
        "Definitions that are missing or broken complete nothing, and names of several lines are left out",
        arguments: [
            ("status: runing\n", []), (Workspace.button + "\nowner: a@b.c\n", ["a@b.c"]),
            (Workspace.button + "\nowner: \"a\\nb\"\n", []),
        ])
    func broken(definition: String, owners: [String]) throws {
        let workspace = try Workspace.withButton(definition)
        let folder = workspace.url.appending(path: "Experiments").path
        for (folder, names) in [(folder, owners), (folder + "/none", []), ("main:none", [])] {
            let words = ["allot", "list", "--definitions", folder, "--owner", ""]
            #expect(DefinitionsCompletion.owners.names(for: words) == names, "\(folder)")
        }
        withExtendedLifetime(workspace) {}
    }

    @Test("The program completes as the generated scripts ask it")
    func program() throws {
        let workspace = try Workspace.withButton()
        let script = try Program.run(["--generate-completion-script", "bash"]).text
        #expect(script.contains("---completion reweight -- --shares"))
        #expect(script.contains("-W 'text'$'\\n''json'$'\\n''markdown'$'\\n''html'$'\\n''github'$'\\n''sarif'"))
        let complete = #""$ALLOT" ---completion reweight -- --shares 4 0 allot reweight button --shares """#
        let outcome = try workspace.shell(complete)
        #expect(outcome.text.split(separator: "\n") == ["control=", "green="])
        #expect((outcome.status, outcome.errors) == (0, ""))
        let elsewhere = try workspace.shell("mkdir empty; cd empty; ALLOT_DEFINITIONS=../Experiments \(complete)")
        #expect(elsewhere.text == outcome.text)
        let nothing = try workspace.shell("rm -r Experiments; \(complete)")
        #expect((nothing.status, nothing.text.filter { $0 != "\n" }, nothing.errors) == (0, "", ""))
    }
}
