import AllotConfiguration
import Testing

@Suite struct DeviceReadoutTests {
    private static let readout = DeviceReadout(
        app: "com.example.shop", device: "d-1", user: "user-42", revision: "0123456789abcdef",
        settings: ["Checkout.Color": "green", "Checkout.Steps": 3, "Home.Banner": .null],
        modifications: ["Checkout.Steps": 3], variants: ["buy-button": "green"])

    @Test("The JSON is canonical, and a short read-out has no unmodified values")
    func text() {
        #expect(
            Self.readout.json.canonicalText == #"{"app":"com.example.shop","device":"d-1","#
                + #""modifications":{"Checkout.Steps":3},"readout":1,"revision":"0123456789abcdef","#
                + #""settings":{"Checkout.Color":"green","Checkout.Steps":3,"Home.Banner":null},"#
                + #""user":"user-42","variants":{"buy-button":"green"}}"#)
        #expect(
            DeviceReadout().json.canonicalText == #"{"modifications":{},"readout":1,"settings":{},"variants":{}}"#)
        var short = Self.readout
        short.settings = [:]
        #expect(Self.readout.short == short)
    }

    @Test(
        "A link, the part after readout=, and the JSON itself are read back",
        arguments: [nil, "https://example.org/allot", "https://example.org/", "http://127.0.0.1:8080"])
    func links(server: String?) throws {
        let link = Self.readout.link(server: server)
        #expect(link.hasPrefix(server.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? "allot:/"))
        #expect(!link.contains("//device"))
        let encoded = try #require(link.split(separator: "=").last).description
        for text in [link, " \(link)\n", link + "&x=1#top", encoded, "\n\(Self.readout.json.canonicalText) "] {
            #expect(try DeviceReadout(link: text) == Self.readout)
        }
    }

    @Test("Hostile names and values are read back, byte by byte")
    func hostile() throws {
        let text = "<script>\u{202E}\u{0}\"\\\r\n&é"
        let readout = DeviceReadout(
            app: text, user: text, settings: ["A.\(text)": .string(text)], variants: [text: .string(text)])
        #expect(try DeviceReadout(link: readout.link(server: nil)) == readout)
    }

    @Test(
        "Anything else is refused, in words",
        arguments: [
            ("", "is empty; copy"), (" \n", "is empty; copy"), ("https://example.org/device", "carries no read-out"),
            ("allot:/device?x=1", "carries no"), ("abc!", "not base 64"), ("a", "not base 64"),
            ("allot:/device?readout=", "is empty"),
            ("eyJyZWFkb3V0IjoxfQ==", "and no =; copy the whole link, or give the JSON"),
            ("{", "not JSON: 1:"), ("{}", "is not a read-out"), (#"{"readout":2}"#, "format 2, and only 1"),
            (#"{"readout":"1"}"#, "readout of the read-out: expected a whole number, found"),
            (#"{"readout":1,"setting":{}}"#, #""setting" of the read-out is unknown; there are readout"#),
            (#"{"readout":1,"user":5}"#, "user of the read-out: expected a text, found"),
            (#"{"readout":1,"settings":[]}"#, "settings of the read-out: expected an object, found"),
            (
                #"{"readout":1,"variants":{"e":1}}"#,
                #"variant of "e" in the read-out is of type integer; write its key as a text"#
            ),
            (#"{"readout":1,"settings":{"A.B":5},"modifications":{"A.B":4}}"#, #"different values of "A.B"; read"#),
        ])
    func refusals(text: String, message: String) {
        let error = #expect(throws: DeviceReadoutError.self) { try DeviceReadout(link: text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("A text beyond the limit is refused before it is read")
    func limit() throws {
        let long = DeviceReadout(settings: ["A.B": .string(String(repeating: "x", count: 200_000))])
        #expect(throws: DeviceReadoutError.self) { try DeviceReadout(link: long.link(server: nil)) }
        #expect(try DeviceReadout(link: long.json.canonicalText) == long)
        #expect(throws: DeviceReadoutError.self) { try DeviceReadout(link: String(repeating: "{", count: 262_145)) }
    }
}
