import AllotConfiguration
import Foundation
import Testing

@testable import AllotClient

/// The page with an app's settings, and what its forms do.
struct SettingsSheetTests: ClientSuite {
    let time = TestTime()

    /// A client for which a server has a configuration.
    private func served(
        _ settings: JSONObject = ["Other": true, "Day": "2026-11-21"], assignments: JSONObject = [:],
        store: any ConfigurationStore = MemoryStore()
    ) async throws -> ConfigurationClient {
        let answer = Served.ok(["Sheet": .object(settings)], assignments: assignments)
        let client = client(ScriptedDownloader(answer), store: store)
        try await client.refresh()
        return client
    }

    private func sheet(_ client: ConfigurationClient) throws -> SettingsSheet {
        SettingsSheet(client, try SettingsCatalog(SheetSample.self))
    }

    private func page(_ sheet: SettingsSheet, _ target: String = "/") async throws -> String {
        try html(await sheet.answer("GET", target), status: 200)
    }

    private func html(_ answer: SheetAnswer, status expected: Int) throws -> String {
        guard case .page(let status, let html) = answer else {
            Issue.record("\(answer)")
            return ""
        }
        #expect(status == expected)
        return html
    }

    private func post(_ sheet: SettingsSheet, _ items: KeyValuePairs<String, String>) async -> SheetAnswer {
        let pairs = items.map { name, value in "\(name)=\(value.percentEncoded(keeping: \.isUnreservedInURI))" }
        return await sheet.answer("POST", "/token/", form: Array(pairs.joined(separator: "&").utf8))
    }

    // MARK: Controls

    @Test("Each setting has the control that it declares, with its label and its hints", arguments: controls)
    func controlsOfSettings(html: String) async throws {
        let page = try await page(try sheet(try await served()))
        #expect(page.contains(html), "\(page)")
    }

    @Test("A slider has a picture at each end", arguments: SettingIcons.allCases)
    func icons(icons: SettingIcons) {
        let pictures = SliderIcons(icons)
        for picture in [pictures.low, pictures.high] {
            #expect(picture.hasPrefix(#"<svg class="icon" aria-hidden="true""#))
        }
        #expect(pictures.low != pictures.high)
    }

    @Test("The page loads nothing, and its values are there without a script")
    func pageIsSelfContained() async throws {
        let page = try await page(try sheet(try await served(["Volume": 7])))
        #expect(page.contains("default-src 'none'"))
        #expect(!page.contains("http://") && !page.contains("https://"))
        #expect(page.matches(of: #/<(script|style)/#).count == 2)
        #expect(page.contains(#"<output id="s1-value-now" for="s1-value">7</output>"#))
    }

    // MARK: Changes

    @Test("A form overrides a setting, and another one takes it back", arguments: changes)
    func change(index: String, notation: String, text: String, value: JSONValue) async throws {
        let client = try await served()
        let sheet = try sheet(client)
        let declaration = sheet.catalog.declarations[try #require(Int(index))]
        let answer = await post(sheet, ["action": "set", "setting": index, "as": notation, "value": text])
        #expect(answer == .redirect("./#s\(index)"))
        #expect(client.current.value(declaration.section, declaration.setting) == value)
        #expect(client.current.source(declaration.section, declaration.setting) == .override)
        #expect(try await page(sheet).contains(#"value="reset""#))
        #expect(await post(sheet, ["action": "reset", "setting": index]) == .redirect("./#s\(index)"))
        #expect(client.current.source(declaration.section, declaration.setting) == .default)
        #expect(try await page(sheet).contains(#"value="reset""#) == false)
    }

    @Test("A place has an item for each member")
    func members() async throws {
        let client = try await served()
        let sheet = try sheet(client)
        func post(_ latitude: String, _ longitude: String) async -> SheetAnswer {
            await self.post(
                sheet,
                ["action": "set", "setting": "10", "as": "json", "latitude": latitude, "longitude": longitude])
        }
        #expect(await post(" 52.5", "-13") == .redirect("./#s10"))
        let place: JSONValue = ["__type": "GeoPoint", "latitude": 52.5, "longitude": -13]
        #expect(client.current.value("Sheet", "Place") == place)
        let refused = try html(await post("91", "<"), status: 422)
        #expect(refused.contains(#"aria-invalid="true" autofocus min="-90" max="90" step="any" value="91""#))
        #expect(refused.contains(#"step="any" value="&lt;""#))
        #expect(client.current.value("Sheet", "Place") == place)
        #expect(await post("", " ") == .redirect("./#s10"))
        #expect(client.current.value("Sheet", "Place") == .null)
    }

    @Test("A refused value changes nothing, and the page says why next to what was typed", arguments: refusals)
    func refusal(index: String, notation: String, text: String, reason: String) async throws {
        let client = try await served()
        let sheet = try sheet(client)
        let answer = await post(sheet, ["action": "set", "setting": index, "as": notation, "value": text])
        let page = try html(answer, status: 422)
        #expect(page.contains(#"<p id="s\#(index)-refusal" class="bad">"#))
        #expect(page.contains(reason), "\(page)")
        #expect(page.contains(#"aria-invalid="true" autofocus"#))
        // Neither a list nor a slider shows what it does not have.
        if ["3", "5", "7"].contains(index) { #expect(page.contains(HTMLText.data(text))) }
        #expect(client.current.overrides.isEmpty)
    }

    @Test("A change names the value before it and its author")
    func authors() async throws {
        let assignments: JSONObject = ["e<1>": ["variant": "loud", "reason": "split", "settings": ["Sheet.Volume"]]]
        let client = try await served(["Volume": 5, "Rate": 2, "Layout": "tiles"], assignments: assignments)
        let catalog = try SettingsCatalog(SheetSample.self)
        let quiet = LocalOverrides.Variant("quiet", values: ["Sheet": ["Volume": 1]])
        let sheet = SettingsSheet(client, catalog, variants: ["e<1>": [quiet], "unknown": []])
        var page = try await page(sheet)
        #expect(page.contains("Changed from <code>3</code> by the variant loud of e&lt;1&gt;."))
        #expect(page.contains("Changed from <code>1.0</code> by the server."))
        #expect(page.contains("is refused, and the app uses its default: Sheet.Layout: expected"))
        #expect(page.contains("Now <code>loud</code> (split)."))
        #expect(page.contains("Now no variant."))

        #expect(await post(sheet, ["action": "choose", "experiment": "0", "variant": "0"]) == .redirect("./#e0"))
        page = try await self.page(sheet)
        #expect(page.contains("Changed from <code>5</code> by the variant quiet of e&lt;1&gt;, chosen on this device."))
        #expect(page.contains(#"<option value="0" selected>quiet</option>"#))
        #expect(client.current.assignments["e<1>"]?.variant == "quiet")

        _ = await post(sheet, ["action": "set", "setting": "1", "as": "json", "value": "9"])
        #expect(try await self.page(sheet).contains("Changed from <code>5</code> on this device."))
        let strange = await post(sheet, ["action": "choose", "experiment": "0", "variant": "1"])
        _ = try html(strange, status: 400)
        #expect(client.current.assignments["e<1>"]?.variant == "quiet")
        _ = await post(sheet, ["action": "choose", "experiment": "0", "variant": ""])
        #expect(client.current.assignments["e<1>"]?.variant == "loud")
        #expect(await post(sheet, ["action": "reset-all"]) == .redirect("./"))
        #expect(client.current.overrides.isEmpty)
        #expect(try await self.page(sheet).contains("reset-all") == false)
    }

    @Test("A change that cannot be stored is effective, and the page says so")
    func brokenStore() async throws {
        let store = FaultyStore()
        let client = try await served(store: store)
        store.failWriting()
        let answer = await post(try sheet(client), ["action": "set", "setting": "1", "as": "json", "value": "9"])
        let page = try html(answer, status: 200)
        #expect(page.contains("not stored for the next run of the app: no space left on device"))
        #expect(client.current.value("Sheet", "Volume") == 9)
    }

    @Test("Requests that no form of the page sends change nothing", arguments: strangeRequests)
    func strange(method: String, target: String, form: String, status: Int) async throws {
        let client = try await served()
        let answer = try await sheet(client).answer(method, target, form: Array(form.utf8))
        _ = try html(answer, status: status)
        #expect(client.current.overrides.isEmpty)
    }

    @Test("A form beyond the limit is refused")
    func longForm() async throws {
        let form = [UInt8](repeating: UInt8(ascii: "a"), count: SettingsSheet.formLimit + 1)
        let answer = try await sheet(try await served()).answer("POST", "/", form: form)
        _ = try html(answer, status: 413)
    }

    // MARK: Hostile text

    @Test("Hostile names and values are shown harmlessly, and forms carry them whole")
    func hostile() async throws {
        let values: JSONObject = ["Text": .string(hostileText), hostileName: "x"]
        let answer = Served.ok([hostileSection: .object(values)], assignments: [hostileName: ["variant": "<b>"]])
        let client = client(ScriptedDownloader(answer))
        try await client.refresh()
        let sheet = SettingsSheet(
            client, try SettingsCatalog(HostileSample.self), variants: [hostileName: [.init(hostileName)]],
            app: hostileName)
        for target in ["/", "/readout?x=1#y"] {
            let html = try await self.page(sheet, target)
            #expect(!html.contains("<script>alert") && !html.contains("<b>&"))
            #expect(!html.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\0" || $0 == "\r" })
        }
        // The text of the form is JSON, in which each character has a name.
        let page = try await page(sheet)
        let shown = try #require(page.firstMatch(of: #/value="(&quot;[^"]*)"/#)).1
        let text = shown.replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&").replacing("&#x202E;", with: "\u{202E}")
        _ = await post(sheet, ["action": "set", "setting": "0", "as": "json", "value": String(text)])
        #expect(client.current.value(hostileSection, "Text") == .string(hostileText))
        #expect(client.current.source(hostileSection, "Text") == .override)
        _ = await post(sheet, ["action": "set", "setting": "1", "as": "text", "value": "y"])
        #expect(client.current.value(hostileSection, hostileName) == "y")
        _ = await post(sheet, ["action": "choose", "experiment": "0", "variant": "0"])
        #expect(client.current.assignments[hostileName]?.variant == hostileName)
    }

    @Test("A line break of a browser is a line feed, and a value of a megabyte is shown")
    func longTexts() async throws {
        let client = try await served(["Color": .string(String(repeating: "x", count: 1 << 20))])
        let sheet = try sheet(client)
        #expect(try await page(sheet).utf8.count < 1 << 17)
        let note = try await served(["Note": .string("a\n" + String(repeating: "x", count: 1 << 20))])
        #expect(try await page(try self.sheet(note)).contains(#" rows="4" dir="auto">"# + "\na\nxxx"))
        _ = await post(sheet, ["action": "set", "setting": "6", "as": "text", "value": "a\r\nb"])
        #expect(client.current.value("Sheet", "Note") == "a\nb")
    }

    // MARK: Reading out

    @Test("The device is read out as text, as a link and as a QR code")
    func readout() async throws {
        let settings: JSONObject = ["Volume": 5, "Layout": "tiles", "Other": 1]
        let client = try await served(settings, assignments: ["e": ["variant": "v"]])
        let catalog = try SettingsCatalog(SheetSample.self)
        let server = try #require(URL(string: "https://example.org/allot/"))
        var sheet = SettingsSheet(client, catalog, app: "shop", device: "d", server: server)
        let readout = sheet.readout
        #expect(readout.settings["Sheet.Volume"] == 5)
        #expect(readout.settings["Sheet.Layout"] == "list")
        #expect(readout.settings["Sheet.Other"] == 1)
        #expect(readout.modifications == ["Sheet.Volume": 5])
        #expect(readout.variants == ["e": "v"])
        #expect([readout.app, readout.device, readout.user] == ["shop", "d", "u"])
        let link = readout.link(server: server.absoluteString)
        #expect(link.hasPrefix("https://example.org/allot/device?readout="))
        #expect(try DeviceReadout(link: link) == readout)
        var page = try await page(sheet, "/token/readout")
        #expect(page.contains("\nSheet.Volume=5</pre>"))
        #expect(page.contains(#"<a href="\#(link)">"#) && page.contains("\n\(link)</pre>"))
        let code = try #require(QRCode(link))
        #expect(page.contains(code.svg("QR code of the link")))

        client.override("Sheet", "Other", with: .string(String(repeating: "x", count: 4000)))
        sheet = SettingsSheet(client, catalog)
        page = try await self.page(sheet, "readout")
        #expect(page.contains("too long for a QR code; it has the modifications and variants only"))
        let short = try #require(QRCode(sheet.readout.short.link(server: nil)))
        #expect(page.contains(short.svg("QR code of a link with the modifications and variants")))
        #expect(!page.contains("too long for a link"))
        #expect(!page.contains("<a href=\"allot:"))

        client.override("Sheet", "Methods", with: [.string(String(repeating: "x", count: 300_000))])
        page = try await self.page(sheet, "readout")
        #expect(page.contains("The read-out is too long for a link"))
        #expect(page.contains("The read-out is too long for a QR code"))
    }

    @Test("Reading the pages exposes no unit")
    func nothingIsExposed() async throws {
        let log = ExposureLog()
        let assignments: JSONObject = ["e": ["variant": "v", "reason": "split", "settings": ["Sheet.Volume"]]]
        let client = ConfigurationClient(
            downloader: ScriptedDownloader(Served.ok(["Sheet": ["Volume": 5]], assignments: assignments)),
            store: MemoryStore(), user: ConfigurationUser("u"), options: .development.under(time), recorder: log,
            isSilent: true)
        try await client.refresh()
        for target in ["/", "/readout"] { _ = try await page(try sheet(client), target) }
        #expect(log.exposed == [])
        #expect(client.current.settings(SheetSample.self).volume == 5)
        #expect(log.exposed == ["e"])
    }
}

private struct SheetSample: SettingsSection {
    static let section = "Sheet"
    @Setting("On") var on = true
    @Setting("Volume", in: 0...10, unit: "steps", control: .slider, icons: .volume) var volume = 3
    @Setting("Rate", in: 0.5...2.0) var rate = 1.0
    @Setting(
        "Color", suggestions: ["Blue": "#0000ff", "Red": "#ff0000"], matching: "#[0-9a-f]{6}", title: "Colour & tone",
        description: "Of the button")
    var color = "#0000ff"
    @Setting("Layout", choices: ["list", "grid"], requiresRestart: true) var layout = "list"
    @Setting("Methods") var methods = ["card"]
    @Setting("Note") var note: String? = nil
    @Setting("Any") var anything: JSONValue = .null
    @Setting("Start") var start: Date? = nil
    @Setting("Day") var day: Date? = nil
    @Setting("Place") var place: GeoPoint? = nil
    @Setting("Image") var image: ConfigurationFile? = nil
    @Setting("Key") var key = Data([1])
}

private let controls = [
    #"<input type="checkbox" role="switch" id="s0-value" name="value" value="true" checked>"#,
    #"<label for="s0-value">Sheet.On</label>"#,
    #"<input type="range" id="s1-value" name="value" aria-describedby="s1-hint" min="0" max="10" step="1" value="3">"#,
    #"<p id="s1-hint" class="faint">From 0 to 10 steps.</p>"#,
    #"<input type="number" id="s2-value" name="value" aria-describedby="s2-hint" value="1.0" min="0.5" max="2" "#
        + #"step="any" required autocomplete="off">"#,
    ##"<input type="text" id="s3-value" name="value" aria-describedby="s3-hint" value="#0000ff" dir="auto" "##
        + #"list="s3-value-offers" autocomplete="off"><datalist id="s3-value-offers">"#,
    ##"<option value="#0000ff">Blue</option><option value="#ff0000">Red</option></datalist>"##,
    #"<label for="s3-value"><bdi>Colour &amp; tone</bdi> <code>Sheet.Color</code></label>"#,
    #"<p id="s3-hint" class="faint">Of the button<br>Pattern: #[0-9a-f]{6}</p>"#,
    #"<select id="s4-value" name="value" aria-describedby="s4-hint"><option value="&quot;list&quot;" selected>list"#,
    "The app uses a new value after it starts again.",
    #"<textarea id="s5-value" name="value" aria-describedby="s5-hint" rows="4" dir="auto">"#
        + "\n[&quot;card&quot;]</textarea>",
    #"aria-describedby="s6-hint" value="null" dir="auto" autocomplete="off">"#,
    #"<p id="s7-hint" class="faint">Written as JSON, texts in quotes.</p>"#,
    #"<input type="datetime-local" id="s8-value" name="value" value="" step="any"> UTC"#,
    #"<input type="date" id="s9-value" name="value" aria-describedby="s9-change" value="2026-11-21">"#,
    #"<span role="group" aria-label="Sheet.Place"><label>latitude <input type="number" id="s10-value" "#
        + #"name="latitude" min="-90" max="90" step="any" value="" autocomplete="off" dir="auto"></label>"#,
    #"<label>url <input type="url" name="url" value="" autocomplete="off" dir="auto"></label>"#,
    #"<textarea id="s12-value" name="value" rows="4" dir="auto">"# + "\nAQ==</textarea>",
]

private let changes: [(String, String, String, JSONValue)] = [
    ("0", "json", "false", false), ("1", "json", "7", 7), ("2", "json", "1.25", 1.25),
    ("3", "text", "#ff0000", "#ff0000"), ("4", "json", "\"grid\"", "grid"), ("5", "json", #"["a", "b"]"#, ["a", "b"]),
    ("6", "json", "hello", "hello"), ("6", "json", "5", "5"), ("6", "json", #""null""#, "null"),
    ("6", "text", "a+b&c=d%", "a+b&c=d%"), ("7", "json", #"{"a": 1}"#, ["a": 1]),
    ("8", "text", "2026-11-21T12:30", "2026-11-21T12:30:00Z"), ("12", "text", "aGVs\r\nbG8=", "aGVsbG8="),
]

private let refusals = [
    ("0", "json", "5", "expected"), ("1", "json", "11", "expected at most 10, found 11; choose another value"),
    ("1", "json", "x", "expected"), ("2", "json", "", "expected"), ("3", "text", "red", "#[0-9a-f]{6}"),
    ("4", "json", #""tiles""#, "expected"), ("5", "json", #"["a""#, "the text is not JSON, in which texts are in"),
    ("7", "json", "plain", "the text is not JSON, in which texts are in"),
]

private let strangeRequests = [
    ("GET", "/other", "", 404), ("POST", "/readout", "action=reset-all", 405), ("DELETE", "/", "", 405),
    ("POST", "/", "", 400), ("POST", "/", "action=set&setting=99&value=1", 400), ("POST", "/", "action=set", 400),
    ("POST", "/", "action=set&setting=7", 400),
    ("POST", "/", "action=set&setting=-1&value=1", 400), ("POST", "/", "action=choose&experiment=0", 400),
    ("POST", "/", "action=%ZZ", 400), ("POST", "/", "action=%FF", 400), ("POST", "/", "&&==&", 400),
    ("POST", "/", "action=reset-all&action=fly", 400), ("POST", "/", "action=set&setting=6&as=text&value=a%00b", 400),
    ("POST", "/", "action=set&setting=6&as=text&value=a\0", 400), ("POST", "/", "action=reset-all&%00=", 400),
]

private let hostileSection = "<script>alert(1)</script>"
private let hostileName = "<b>&\u{202E}\"'\r\n\0"
private let hostileText = "<b>&'\0\r\u{202E}"

private struct HostileSample: SettingsSection {
    static let section = hostileSection
    @Setting("Text") var text = ""
    @Setting(hostileName, title: hostileName, description: hostileName, unit: hostileName) var other = ""
}
