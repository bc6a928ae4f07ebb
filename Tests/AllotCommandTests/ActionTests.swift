import AllotConfiguration
import Foundation
import TestSupport
import Testing

/// The script of the GitHub Action, with a program `gh` that keeps comments and labels in a file.
@Suite(.blocks) struct ActionTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".github/actions/allot/review.sh").path

    /// Understands the calls of the script and no others.
    private static let gh = #"""
        #!/usr/bin/env python3
        import json, os, sys, urllib.parse
        path = os.environ["GH_STATE"]
        state = json.load(open(path)) if os.path.exists(path) else {"comments": [], "labels": [], "calls": []}
        arguments = sys.argv[2:]
        method, fields, query, target = "GET", {}, None, None
        while arguments:
            word = arguments.pop(0)
            if word == "--method": method = arguments.pop(0)
            elif word in ("-F", "-f"):
                name, value = arguments.pop(0).split("=", 1)
                fields[name] = open(value[1:]).read() if word == "-F" and value.startswith("@") else value
            elif word == "--jq": query = arguments.pop(0)
            elif word not in ("--silent", "--paginate"): target = word
        if os.environ.get("GH_FAILS"): sys.exit("HTTP 403")
        state["calls"].append(f"{method} {target}")
        author, mark, label = (os.environ.get(name) for name in ("ALLOT_AUTHOR", "ALLOT_MARK", "ALLOT_LABEL"))
        issue = "repos/shop/shop/issues"
        if (method, target) == ("GET", f"{issue}/7/comments?per_page=100"):
            for comment in state["comments"]:
                if comment["login"] == author and comment["body"].startswith(mark): print(comment["id"])
        elif (method, target) == ("POST", f"{issue}/7/comments"):
            state["comments"].append({"id": len(state["comments"]) + 1, "login": author, "body": fields["body"]})
        elif method == "PATCH" and target.startswith(f"{issue}/comments/"):
            state["comments"][int(target.rsplit("/", 1)[1]) - 1]["body"] = fields["body"]
        elif (method, target) == ("GET", f"{issue}/7/labels"):
            if label in state["labels"]: print(label)
        elif (method, target) == ("POST", f"{issue}/7/labels"): state["labels"].append(fields["labels[]"])
        elif method == "DELETE" and urllib.parse.unquote(target) == f"{issue}/7/labels/{label}":
            state["labels"].remove(label)
        else: sys.exit(f"unexpected call: {method} {target} {query}")
        json.dump(state, open(path, "w"))
        """#

    /// A repository with definitions on `main`, and the program `gh`.
    private func repository() throws -> TestRepository {
        let repository = try TestRepository()
        try repository.write(Workspace.base(), to: "Experiments/base.json")
        try repository.write(Workspace.button, to: "Experiments/button.yaml")
        try repository.commit("Begin", at: "2026-01-01T00:00:00Z")
        try repository.write(Self.gh, to: ".git/bin/gh")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: repository.path + "/.git/bin/gh")
        return repository
    }

    private func run(_ repository: TestRepository, _ more: [String: String] = [:]) throws -> Outcome {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let variables = [
            "PATH": "\(repository.path)/.git/bin:\(path)", "HOME": repository.path, "GIT_CONFIG_NOSYSTEM": "1",
            "ALLOT": try Program.url.get().path, "ALLOT_DEFINITIONS": "Experiments/", "ALLOT_BASE": "main",
            "ALLOT_AUTHOR": "github-actions[bot]", "ALLOT_LABEL": "moves users", "ALLOT_PULL_REQUEST": "7",
            "GITHUB_REPOSITORY": "shop/shop", "GITHUB_OUTPUT": repository.path + "/.git/output",
            "GITHUB_STEP_SUMMARY": repository.path + "/.git/summary", "GH_STATE": repository.path + "/.git/state.json",
        ]
        return try Outcome(
            of: URL(filePath: "/bin/bash"), [Self.script], in: repository.url,
            environment: variables.merging(more) { $1 })
    }

    private func state(_ repository: TestRepository) throws -> JSONValue {
        try JSONValue(parsing: Array(repository.text(".git/state.json").utf8))
    }

    @Test("One comment is written and then kept up to date, and the label comes and goes")
    func commentAndLabel() throws {
        let repository = try repository()
        try repository.write(Workspace.button + "\nsalt: button.2\n", to: "Experiments/button.yaml")
        let first = try run(repository)
        #expect(first.status == 0, "\(first.text)\(first.errors)")
        var state = try state(repository)
        let body = try #require(state["comments"]?[0]?["body"]?.text)
        #expect(
            body.hasPrefix("<!-- allot: Experiments -->\n### ⚠️ 1 of 1 experiment changed; enrolled units would move"))
        #expect(state["labels"] == ["moves users"])
        #expect(try repository.text(".git/output") == "moves=true\n")
        #expect(try repository.text(".git/summary").hasPrefix("### ⚠️ 1 of 1 experiment changed"))
        // The same again changes nothing more.
        #expect(try run(repository, ["ALLOT_FAIL_ON_MOVES": "true"]).status == 1)
        #expect(try self.state(repository)["labels"] == ["moves users"])
        // Put back: the comment says so, and the label goes.
        try repository.write(Workspace.button, to: "Experiments/button.yaml")
        #expect(try run(repository).status == 0)
        state = try self.state(repository)
        #expect(state["comments"]?[0]?["body"]?.text?.contains("No change for any unit") == true)
        #expect(state["comments"]?[1] == nil)
        #expect(state["labels"] == [])
    }

    @Test("A pull request without changed definitions gets no comment")
    func unchanged() throws {
        let repository = try repository()
        #expect(try run(repository).status == 0)
        #expect(try state(repository)["comments"] == [])
    }

    @Test("Errors fail the step with annotations, and are in the comment")
    func errors() throws {
        let repository = try repository()
        try repository.write("status: runing\nvariants: [{ key: a }]\n", to: "Experiments/button.yaml")
        try run(repository).expectText(
            "\n::error title=allot check,file=Experiments/button.yaml,line=1,col=9::unknown status", status: 1)
        let body = try #require(try state(repository)["comments"]?[0]?["body"]?.text)
        #expect(body.contains("### ❌ The definitions cannot be compared with those of the base"))
        #expect(body.contains("    Experiments/button.yaml:1:9: error: unknown status"))
        #expect(try repository.text(".git/output") == "moves=\n")
    }

    @Test("A token that may not write, and first definitions, are no failure")
    func weakTokens() throws {
        let repository = try repository()
        let nothing = try repository.git(["hash-object", "-t", "tree", "-w", "/dev/null"])
        let author = ["GIT_AUTHOR_NAME": "ada", "GIT_AUTHOR_EMAIL": "ada@example.com"]
        try repository.git(["branch", "empty", try repository.git(["commit-tree", "-m", "x", nothing], author)])
        try run(repository, ["GH_FAILS": "1", "ALLOT_BASE": "empty"]).expectText(
            "::warning title=allot::the comment cannot be written; give the job the permission")
        #expect(try repository.text(".git/summary") == "### These are the first definitions in `Experiments`\n")
    }

    @Test("Without a pull request definitions are checked only")
    func noPullRequest() throws {
        let repository = try repository()
        try run(repository, ["ALLOT_BASE": "", "ALLOT_PULL_REQUEST": ""]).expectText(
            "1 experiment, 0 layers, 0 holdouts: 0 errors")
    }
}
