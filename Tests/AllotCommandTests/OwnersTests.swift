import Foundation
import TestSupport
import Testing

@Suite(.blocks) struct OwnersTests {
    private func repository(_ owners: [String: String], in folder: String = "Experiments") throws -> TestRepository {
        let repository = try TestRepository()
        for (key, owner) in owners {
            try repository.write("status: draft\n\(owner)\nvariants: [{ key: a }]\n", to: "\(folder)/\(key).yaml")
        }
        return repository
    }

    @Test("The owners of experiments become lines of CODEOWNERS, with paths from the top of the repository")
    func lines() throws {
        let owners = [
            "a": "owner: '@shop/payments ada@example.com'", "b": "description: x", "c": "owner: '@ada, @grace'",
        ]
        let repository = try repository(owners, in: "my shop/Experiments")
        let result = try withExtendedLifetime(repository) {
            try Program.run(["owners"], in: repository.url.appending(path: "my shop"))
        }
        result.expectOutput(
            """
            # allot owners: begin (written by allot owners; edit the owners in the definitions)
            /my\\ shop/Experiments/a.yaml @shop/payments ada@example.com
            /my\\ shop/Experiments/c.yaml @ada @grace
            # allot owners: end

            """)
        #expect(result.errors == "allot: note: 1 experiment without an owner: b\n")
    }

    @Test("Owners that GitHub does not know are errors at their places")
    func invalidOwners() throws {
        let owners = [
            "a": "owner: Payments team", "b": "owner: '@'", "c": "owner: '@a/b/c'", "d": "owner: 'a@b#c'",
            "e": "owner: ''", "f": "owner: '@-a'",
        ]
        let repository = try repository(owners)
        let result = try withExtendedLifetime(repository) { try Program.run(["owners"], in: repository.url) }
        #expect(result.status == 1)
        #expect(result.errorLines.count == 7)
        #expect(
            result.errorLines.first
                == "Experiments/a.yaml:2:8: error: the owner \"Payments team\" is not valid in CODEOWNERS; write "
                + "@user, @org/team or a mail address, or several of them with spaces between (owner)")
        #expect(result.errorLines.last == "allot: 6 owners cannot be written into CODEOWNERS")
    }

    @Test("What else CODEOWNERS says stays, and --check tells whether it is up to date")
    func updates() throws {
        let repository = try repository(["a": "owner: '@ada'"])
        let file = ".github/CODEOWNERS"
        try repository.write("* @admins", to: file)
        func run(_ arguments: String...) throws -> Outcome {
            try Program.run(["owners"] + arguments, in: repository.url)
        }
        try run("--check", file).expectFailure(
            "\(file) is not up to date; update it with allot owners --output \(file)", status: 2)
        try run("--check", "none").expectFailure(
            "there is no file none; write it with allot owners --output none", status: 2)
        #expect(try run("-o", file).status == 0)
        #expect(try run("--check", file).status == 0)
        try repository.write("status: draft\nowner: '@grace'\nvariants: [{ key: a }]\n", to: "Experiments/a.yaml")
        #expect(try run("--check", file).status == 2)
        #expect(try run("-o", file).status == 0)
        #expect(
            try repository.text(file) == """
                * @admins

                # allot owners: begin (written by allot owners; edit the owners in the definitions)
                /Experiments/a.yaml @grace
                # allot owners: end

                """)
    }

    @Test("The command that brings a file up to date names the folder")
    func commandForOtherFolders() throws {
        let repository = try repository(["a": "owner: '@ada'"], in: "my shop")
        try repository.write("* @admins", to: "CODEOWNERS")
        try Program.run(["owners", "--definitions", "my shop", "--check", "CODEOWNERS"], in: repository.url)
            .expectFailure(
                "CODEOWNERS is not up to date; update it with allot owners --definitions 'my shop' --output CODEOWNERS",
                status: 2)
    }

    @Test("A file of the definitions cannot be the output")
    func definitionsAsOutput() throws {
        let repository = try repository(["a": "owner: '@ada'"])
        try Program.run(["owners", "-o", "Experiments/a.yaml"], in: repository.url).expectFailure(
            "Experiments/a.yaml is a file of the definitions; name another file with -o")
    }

    @Test("A file whose lines end in carriage returns has one block")
    func carriageReturns() throws {
        let repository = try repository(["a": "owner: '@ada'"])
        try repository.write("* @admins\r\n", to: "CODEOWNERS")
        for _ in 0..<2 { #expect(try Program.run(["owners", "-o", "CODEOWNERS"], in: repository.url).status == 0) }
        try repository.write(repository.text("CODEOWNERS").replacing("\n", with: "\r\n"), to: "CODEOWNERS")
        #expect(try Program.run(["owners", "-o", "CODEOWNERS"], in: repository.url).status == 0)
        #expect(try repository.text("CODEOWNERS").components(separatedBy: "/Experiments/a.yaml").count == 2)
    }

    @Test(
        "A file in which the block cannot be distinguished from other lines stays as it is",
        arguments: [
            ("* @a\n# allot owners: begin\nmine @x\n", "line 2"),
            ("# allot owners: end\n# allot owners: begin\n", "lines 1, 2"),
            (
                "# allot owners: begin\n# allot owners: end\nmine @x\n# allot owners: begin\n# allot owners: end\n",
                "lines 1, 2, 4, 5"
            ),
        ])
    func unclearBlock(text: String, lines: String) throws {
        let repository = try repository(["a": "owner: '@ada'"])
        try repository.write(text, to: "CODEOWNERS")
        for option in ["-o", "--check"] {
            try Program.run(["owners", option, "CODEOWNERS"], in: repository.url).expectFailure(
                "CODEOWNERS has comments of allot owners at \(lines), and not one \"begin\" before one \"end\"; remove "
                    + "them and the lines of old blocks")
        }
        #expect(try repository.text("CODEOWNERS") == text)
    }

    @Test("A file that is not UTF-8 stays as it is")
    func latin1() throws {
        let repository = try repository(["a": "owner: '@ada'"])
        let bytes = Array("# M".utf8) + [0xFC] + Array("ller\n".utf8)
        let file = repository.url.appending(path: "CODEOWNERS")
        try Data(bytes).write(to: file)
        try Program.run(["owners", "-o", "CODEOWNERS"], in: repository.url).expectFailure(
            "CODEOWNERS is not UTF-8; save it as UTF-8")
        #expect(try Array(Data(contentsOf: file)) == bytes)
    }
}
