import Testing

@testable import AllotDefinitions

struct SourcePathTests {
    @Test(
        "Keys that are not names are quoted",
        arguments: [
            ("app-version_2$", "forced.app-version_2$"), ("user 7", #"forced["user 7"]"#), ("7", #"forced["7"]"#),
            ("-a", #"forced["-a"]"#), ("", #"forced[""]"#), ("a.b", #"forced["a.b"]"#), ("é", #"forced["é"]"#),
            (#"a"\b"#, #"forced["a\"\\b"]"#), ("a\n\u{1B}[31m\u{202E}", #"forced["a\n\u001B[31m\u202E"]"#),
        ])
    func quotesOtherKeys(key: String, expected: String) {
        #expect(SourcePath().appending(key: "forced").appending(key: key).description == expected)
    }

    @Test("Long keys are cut")
    func cutsLongKeys() {
        let path = SourcePath().appending(key: String(repeating: "a", count: 100_000))
        #expect(path.description == "[\"" + String(repeating: "a", count: 64) + "…\"]")
    }
}
