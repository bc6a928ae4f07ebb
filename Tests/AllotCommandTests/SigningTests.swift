import AllotConfiguration
import AllotSigning
import Foundation
import TestSupport
import Testing

/// `allot keys generate`, `allot sign` and `allot verify`.
@Suite(.blocks) struct SigningTests {
    /// A folder with a pair of keys.
    private func withKeys(_ algorithm: SignatureAlgorithm = .es256) throws -> (workspace: Workspace, id: String) {
        let workspace = try Workspace()
        let result = try allot(
            workspace, "keys", "generate", "--algorithm", algorithm.rawValue, "--key", "key.pem", "--public",
            "public.pem")
        try #require(result.status == 0, "\(result.errors)")
        return (workspace, result.text.trimmingCharacters(in: .newlines))
    }

    private func allot(_ workspace: Workspace, _ arguments: String..., input: String? = nil) throws -> Outcome {
        try Program.run(arguments, input: input.map { Array($0.utf8) }, in: workspace.url)
    }

    private func mode(_ workspace: Workspace, _ name: String) throws -> Int? {
        let path = workspace.url.appendingPathComponent(name).path
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(
        "A file signed by a generated key is verified and a changed one is not", arguments: SignatureAlgorithm.allCases)
    func signedFilesAreVerified(algorithm: SignatureAlgorithm) throws {
        let (workspace, id) = try withKeys(algorithm)
        let key = try SigningKey(pem: workspace.read("key.pem"))
        #expect((key.algorithm, key.keyID) == (algorithm, id))
        #expect(try key.publicKeyPEM == workspace.read("public.pem"))
        #expect(try mode(workspace, "key.pem") == 0o600)
        #expect(try workspace.files == ["key.pem", "public.pem"])
        try workspace.write("configuration.json", "{}\n")
        let signature = try allot(workspace, "sign", "configuration.json", "--key", "key.pem").text
        try workspace.write("signature", signature)
        let right = "signed by \(id) (\(algorithm.rawValue))\n"
        let verify = ["verify", "configuration.json", "--signature", "@signature", "--public", "public.pem"]
        try Program.run(verify, in: workspace.url).expectOutput(right)
        try allot(
            workspace, "verify", "-", "--signature", signature.trimmingCharacters(in: .newlines), "--public",
            "public.pem", input: "{}\n"
        ).expectOutput(right)
        try workspace.write("configuration.json", "{} \n")
        try Program.run(verify, in: workspace.url).expectFailure(
            "the signature is not that of the key \(id) for these bytes: they were changed, or signed with "
                + "another key; do not use them, and fetch them again", status: 2)
        try Program.run(verify + ["--json"], in: workspace.url).expectText(
            #""error": "the signature is not"#, status: 2)
    }

    @Test("Files that are read cannot be the output")
    func inputsAsOutput() throws {
        let workspace = try withKeys().workspace
        try workspace.write("values.json", "{}\n")
        try workspace.write("signature", allot(workspace, "sign", "values.json", "--key", "key.pem").text)
        let verify = ["verify", "values.json", "--signature", "@signature", "--public", "public.pem"]
        let refused =
            [(["sign", "values.json", "--key", "key.pem"], ["values.json", "./values.json"])]
            + [(verify, ["values.json", "signature", "public.pem"])]
        for (arguments, outputs) in refused {
            for output in outputs {
                try Program.run(arguments + ["-o", output], in: workspace.url).expectFailure(
                    "\(output) is the input itself; name another file with -o")
            }
        }
        try Program.run(verify, in: workspace.url).expectText(start: "signed by ")
    }

    @Test("Files are replaced only with --force")
    func nothingIsReplacedUnlessForced() throws {
        let (workspace, id) = try withKeys()
        let before = try workspace.read("key.pem")
        let generate = ["keys", "generate", "--key"]
        func refused(_ more: [String], _ message: String) throws {
            try Program.run(generate + more, in: workspace.url).expectFailure(message)
        }
        let exists = "the file already exists (File exists); name another with"
        try refused(["key.pem"], "cannot write key.pem: \(exists) --key, or replace it with --force")
        // If one of the two is there, neither is written.
        try refused(
            ["new.pem", "--public", "public.pem"],
            "cannot write public.pem: \(exists) --public, or replace it with --force")
        try refused(["x.pem", "--public", "./x.pem"], "both keys would be written to the file x.pem; name two files")
        #expect(try workspace.read("key.pem") == before)
        #expect(try workspace.files == ["key.pem", "public.pem"])
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: workspace.url.appending(path: "key.pem").path)
        let forced = try Program.run(generate + ["key.pem", "--public", "public.pem", "--force"], in: workspace.url)
        #expect(forced.status == 0)
        #expect(forced.text != id + "\n")
        #expect(try workspace.read("key.pem") != before)
        #expect(try mode(workspace, "key.pem") == 0o600)
    }

    @Test("A token names its app, its device and its values")
    func tokenSaysWhatItIsFor() throws {
        let (workspace, id) = try withKeys()
        try workspace.write("values.json", #"{"Page": {"Color": "red"}}"#)
        let token = try allot(
            workspace, "sign", "values.json", "--key", "key.pem", "--device", "E621", "--app", "com.example.shop",
            "--at", "2026-11-21T12:00:00Z", "--expires", "12h", "--variant", "button=green"
        ).text
        try workspace.write("token", token)
        func verified(_ more: String...) throws -> Outcome {
            try Program.run(["verify", "--token", "@token", "--public", "public.pem"] + more, in: workspace.url)
        }
        let last = ["--at", "2026-11-21T23:59:59Z"]
        try verified("--app", "com.example.shop", "--device", "E621", last[0], last[1]).expectOutput(
            """
            signed by \(id) (ES256)
            valid until 2026-11-22T00:00:00Z
            {
              "app": "com.example.shop",
              "device": "E621",
              "expires": 1795305600,
              "issued": 1795262400,
              "operation": "apply",
              "values": {
                "Page": {"Color": "red"}
              },
              "variants": {"button": "green"}
            }

            """)
        let json = try JSONValue(parsing: verified(last[0], last[1], "--json").output)
        #expect(json["key"] == .string(id))
        #expect(json["algorithm"] == "ES256")
        #expect(json["expires"] == "2026-11-22T00:00:00Z")
        #expect(json["payload"]?["device"] == "E621")
        let refused = try verified("--app", "com.example.bank", "--device", "E622", "--at", "2026-11-22T00:00:00Z")
        #expect(
            refused.errorLines == [
                "allot: the token: the payload is for the app \"com.example.shop\", but this is \"com.example.bank\"",
                "allot: the token: the payload is for the device \"E621\", but this is \"E622\"; sign another for this "
                    + "device",
                "allot: the token: the payload expired 0 seconds ago; sign it again",
            ])
        #expect(refused.status == 2)
        try workspace.write("token", String(token.dropLast(5)))
        #expect(try verified().errors.contains("copy the whole"))
        // A signature of a file is not a token.
        try workspace.write("token", allot(workspace, "sign", "values.json", "--key", "key.pem").text)
        #expect(try verified().errors.contains("payload"))
    }

    @Test("Exported keys are the Swift source that is compiled here, and PEM of the same keys")
    func keysAreExported() throws {
        let workspace = try Workspace(["two.pem": AllotPublicKeys.pem + "\n"])
        func export(_ arguments: String...) throws -> Outcome {
            try Program.run(["keys", "export"] + arguments, in: workspace.url)
        }
        let kept = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Support/AllotPublicKeys.swift")
        let source = try String(contentsOf: kept, encoding: .utf8)
        try export("--swift", "--public", "two.pem").expectOutput(source)
        try export("--public", "two.pem").expectOutput(AllotPublicKeys.pem + "\n")
        #expect(try PublicKeyVerifier(pem: AllotPublicKeys.pem).keys.map(\.keyID) == AllotPublicKeys.ids)
        // The public half of a private key, twice; and keys that were made elsewhere.
        let (own, id) = try withKeys(.rs256)
        try own.write("two.pem", AllotPublicKeys.pem)
        try allot(own, "keys", "export", "--key", "key.pem").expectOutput(try own.read("public.pem"))
        try allot(
            own, "keys", "export", "--swift", "--key", "key.pem", "--public", "public.pem", "--public", "two.pem",
            "--access", "public", "-o", "Keys.swift"
        ).expectOutput("")
        let all = try own.read("Keys.swift")
        #expect(all.components(separatedBy: "BEGIN PUBLIC KEY").count == 4)
        #expect(all.components(separatedBy: id).count == 2)
        #expect(all.components(separatedBy: "\n    public static let ").count == 3)
    }

    @Test("Keys are not exported over a key, and a private key is not exported as a public one")
    func keysThatAreNotExported() throws {
        let (workspace, _) = try withKeys()
        let before = try workspace.read("key.pem")
        try allot(workspace, "keys", "export", "--key", "key.pem", "-o", "./key.pem")
            .expectErrors("key.pem", "-o")
        // Nor over a key that is not exported, also as the target of a link.
        _ = try allot(workspace, "keys", "generate", "--algorithm", "RS256", "--key", "other.pem")
        let other = try workspace.read("other.pem")
        try workspace.shell("ln -s other.pem link.pem; cp public.pem old.pem").expectOutput("")
        let refusal = "is the file of a private key; name another file with"
        for path in ["other.pem", "link.pem"] {
            try allot(workspace, "keys", "export", "--public", "public.pem", "-o", path).expectFailure(
                "\(path) \(refusal) -o")
            try allot(workspace, "keys", "generate", "--key", "new.pem", "--public", path, "--force").expectFailure(
                "\(path) \(refusal) --public")
        }
        try allot(workspace, "keys", "export", "--key", "other.pem", "-o", "old.pem").expectOutput("")
        #expect(try workspace.read("key.pem") == before)
        #expect(try workspace.read("other.pem") == other)
        #expect(try !workspace.files.contains("new.pem"))
        try allot(workspace, "keys", "export", "--public", "key.pem").expectErrors("keep it secret")
        try allot(workspace, "keys", "export").expectUsageError(
            "No key to export; name its file with --key or --public.")
    }

    @Test("A token is printed as a link, and shown as a QR code of it")
    func linksAndCodes() throws {
        let (workspace, _) = try withKeys()
        let arguments = [
            "sign", "--reset", "--key", "key.pem", "--device", "d", "--app", "a", "--at", "2026-11-21T12:00:00Z",
        ]
        func sign(_ more: String...) throws -> Outcome { try Program.run(arguments + more, in: workspace.url) }
        let link = try sign("--link", "shop").text
        #expect(link.hasPrefix("shop://override?token="))
        let token = try SignedToken(link: link.trimmingCharacters(in: .newlines))
        #expect(try DevicePayload(JSONValue(parsing: token.payload)).operation == .reset)
        // ES256 signs each time in another way, so only the size is known.
        let code = try sign("--link", "shop", "--qr")
        let lines = code.text.split(separator: "\n")
        #expect(lines.count == ((lines.first?.count ?? 0) + 1) / 2)
        #expect(code.text.allSatisfy { "█▀▄ \n".contains($0) })
        #expect(lines[0].allSatisfy { $0 == "█" })
        for scheme in ["https", "", "a b", "sh\u{202E}op"] { try sign("--link", scheme).expectErrors("is not the URL") }
        try workspace.write("values.json", #"{"Page": {"Text": "\#(String(repeating: "x", count: 3000))"}}"#)
        let long = ["sign", "values.json", "--key", "key.pem", "--device", "d", "--app", "a", "--qr"]
        try Program.run(long, in: workspace.url).expectErrors("a QR code at most 2953")
    }

    @Test("Values are checked against the base")
    func valuesAreCheckedAgainstTheBase() throws {
        let workspace = try Workspace.withButton()
        _ = try allot(workspace, "keys", "generate", "--key", "key.pem")
        func sign(_ values: String, _ variant: String) throws -> Outcome {
            try allot(
                workspace, "sign", "-", "--key", "key.pem", "--device", "d", "--app", "a", "--variant", variant,
                "--definitions", "Experiments", input: values)
        }
        #expect(try sign(#"{"Page": {"Color": "red"}}"#, "button=green").status == 0)
        let refused = try sign(#"{"Page": {"Color": 7, "Colour": "red"}, "Pages": {"x": 1}}"#, "button=gren")
        #expect(refused.errorLines.count == 4, "\(refused.errors)")
        refused.expectErrors(
            "Page.Color is the number 7", "no setting Page.Colour", "no section \"Pages\"", "no variant \"gren\"")
    }

    /// The device would count as the variant and look like something else.
    @Test("Variants add the settings of their experiment to a token")
    func variantsBringTheirSettings() throws {
        let workspace = try Workspace()
        _ = try allot(workspace, "keys", "generate", "--key", "key.pem")
        try workspace.write(
            "Experiments/base.json",
            #"""
            {"config_sections": {"Page": {"settings": {
              "Color": {"value": "blue"}, "Title": {"value": "a"}, "Layout": {"value": {"columns": 1, "zoom": true}}
            }}}}
            """#)
        try workspace.write(
            "Experiments/button.yaml",
            """
            status: running
            variants:
              - key: control
              - { key: green, overrides: { Page: { Color: green, Title: b, Layout: { columns: 2 } } } }
            """)
        let arguments = ["sign", "--key", "key.pem", "--device", "d", "--app", "a"]
        func values(_ more: String..., variant: String = "green", input: String? = nil) throws -> String {
            let result = try Program.run(
                arguments + ["--variant", "button=\(variant)"] + more, input: input.map { Array($0.utf8) },
                in: workspace.url)
            try #require(result.status == 0, "\(result.errors)")
            let token = try SignedToken(result.text.trimmingCharacters(in: .newlines))
            guard case .object(let payload) = try JSONValue(parsing: token.payload) else { return "" }
            return payload["values"]?.canonicalText ?? "none"
        }
        let whole = #"{"Page":{"Color":"green","Layout":{"columns":2,"zoom":true},"Title":"b"}}"#
        #expect(try values("--definitions", "Experiments") == whole)
        // The device may have the values of another variant.
        #expect(
            try values("--definitions", "Experiments", variant: "control")
                == #"{"Page":{"Color":"blue","Layout":{"columns":1,"zoom":true},"Title":"a"}}"#)
        #expect(
            try values("--definitions", "Experiments", "-", input: #"{"Page": {"Title": "c", "Layout": {}}}"#)
                == #"{"Page":{"Color":"green","Layout":{},"Title":"c"}}"#)
        #expect(try values("-", input: #"{"Page": {"Title": "c"}}"#) == #"{"Page":{"Title":"c"}}"#)
        try Program.run(
            arguments + ["--variant", "button=green", "--definitions", "Experiments", "--max-settings", "2"],
            in: workspace.url
        ).expectErrors("settings")
    }

    @Test(
        "A private key is written to a file only",
        arguments: ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/null", "pipe"])
    func privateKeysGoToFilesOnly(path: String) throws {
        let workspace = try Workspace()
        try #require(mkfifo(workspace.url.appendingPathComponent("pipe").path, 0o600) == 0)
        for force in [[], ["--force"]] {
            try Program.run(["keys", "generate", "--key", path] + force, in: workspace.url).expectUsageError(
                "A private key must be written to a file; name one with --key.")
        }
    }

    @Test("A text that is too large is not a signature")
    func largeTextsAreNoSignatures() throws {
        let (workspace, id) = try withKeys()
        try workspace.write("file", "text")
        let signature = try allot(workspace, "sign", "file", "--key", "key.pem").text
        func verify() throws -> Outcome {
            try allot(workspace, "verify", "file", "--signature", "@signature", "--public", "public.pem")
        }
        try workspace.write("signature", " \r\n\t\(signature)\r\n ")
        try verify().expectOutput("signed by \(id) (ES256)\n")
        try workspace.write("signature", String(repeating: ".", count: 1 << 20))
        try verify().expectFailure(
            "a detached signature has three parts, HEADER..SIGNATURE, but this has 1048577; copy the whole text",
            status: 2)
        try workspace.write("signature", String(repeating: " ", count: 1 << 20) + signature)
        try verify().expectFailure("signature has more than 1048576 bytes; it is not a token or a signature")
        try allot(workspace, "verify", "--token", "@/dev/zero", "--public", "public.pem").expectFailure(
            "/dev/zero has more than 1048576 bytes; it is not a token or a signature")
    }

    @Test("Mistakes are explained")
    func mistakes() throws {
        let (workspace, _) = try withKeys()
        try workspace.write("file", "text")
        try allot(workspace, "sign", "file", "--key", "none.pem").expectFailure(
            "none.pem cannot be read (No such file or directory); check the path and its permissions")
        try allot(workspace, "sign", "none", "--key", "key.pem").expectFailure(
            "cannot read none: there is no such file (No such file or directory); check its name")
        try allot(workspace, "sign", "file", "--key", "key.pem", "--device", "d", "--app", "a").expectFailure(
            "file:1:1: this is not a JSON value; text is written in double quotes")
        try allot(workspace, "sign", "-", "--key", "key.pem", "--device", "*", "--app", "", input: "{}").expectFailure(
            """
            app is empty; name the app, such as com.example.shop
            allot: the device "*" has a "*", but there are no wildcards; name one device
            allot: there is nothing to apply; give values, or the operation reset
            """)
        for time in ["7", "d", "0d", "-1d", "1.5h", "7y", "99999999w", "٣d"] {
            let sign = ["sign", "file", "--key", "key.pem", "--device", "d", "--app", "a", "--expires=\(time)"]
            #expect(Program.answer(sign).status == 64, "\(time)")
        }
        try allot(workspace, "verify", "file", "--signature", "x", "--public", "public.pem").expectFailure(
            "a detached signature has three parts, HEADER..SIGNATURE, but this has 1; copy the whole text", status: 2)
    }
}
