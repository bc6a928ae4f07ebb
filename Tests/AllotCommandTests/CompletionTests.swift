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

    @Test("A name with a value is completed up to its sign, and then its values")
    func pairs() throws {
        let workspace = try Workspace.withButton()
        let words = ["allot", "reweight", "button", "--definitions", workspace.url.appending(path: "Experiments").path]
        func names(_ kind: DefinitionsCompletion, _ typed: String) -> [String] { kind.names(for: words, typed: typed) }
        #expect(names(.shares, "con") == ["control=", "green="])
        #expect(names(.shares, "control=") == [])
        #expect(names(.shares, "control=20%,g") == ["control=20%,green="])
        #expect(names(.shares, "control=20%,green=80%,") == [])
        #expect(names(.assignments, "") == ["button="])
        #expect(names(.assignments, "button=") == ["button=control", "button=green"])
        #expect(names(.assignments, "other=") == [])
        withExtendedLifetime(workspace) {}
    }

    @Test(
        "Bash completes words with signs",
        arguments: [
            (["reweight", "button", "--shares", "con"], "con", ["control="]),
            (["reweight", "button", "--shares", "control", "=", "20%,g"], "20%,g", ["20%,green="]),
            (["reweight", "button", "--shares", "=", "con"], "con", ["control="]),
            (["srm", "--experiment", "=", "but"], "but", ["button"]),
            (["srm", "--experiment", "="], "", ["button"]), (["bucket", "--format", "="], "", ["text", "json"]),
            (["sign", "--variant", "button", "=", "gr"], "gr", ["green"]),
            (["sign", "--variant", "butt"], "butt", ["button="]),
            (["show", "-d", "HEAD", ":", "Experiments", "but"], "but", ["button"]), (["rewei"], "rewei", ["reweight"]),
        ])
    func bash(words: [String], typed: String, offered: [String]) throws {
        let workspace = try Workspace.withButton()
        let commit = "git init -q . && git add . && git -c user.name=a -c user.email=a@b.c commit -qm a"
        #expect(try workspace.shell(commit).status == 0)
        let quoted = (["$ALLOT"] + words).map { "\"\($0)\"" }.joined(separator: " ")
        let outcome = try workspace.shell(
            """
            "$ALLOT" --generate-completion-script bash > script.bash
            cat > try.bash <<'END'
            compopt() { :; }
            source script.bash
            COMP_WORDS=(\(quoted)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
            _allot_whole_words allot "\(typed)" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            END
            bash try.bash
            """)
        #expect(outcome.text.split(separator: "\n").map(String.init) == offered, "\(outcome.errors)")
    }

    @Test("A folder is found in every form of the words that shells pass on")
    func folders() throws {
        let workspace = try Workspace.withButton()
        let path = workspace.url.appending(path: "Experiments").path
        for words in [
            ["--definitions", path], ["-d", path], ["--definitions=\(path)"], ["--definitions", "'\(path)'"],
            ["--definitions", "nowhere", "--definitions", path],
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
