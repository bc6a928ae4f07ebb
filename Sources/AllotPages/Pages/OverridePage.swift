import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports

/// `/units/{id}/override`: makes a token that lets a tester's device use other settings for a while.
package enum OverridePage {
    package enum Outcome: Sendable {
        /// The token, which no other page shows.
        case token(SignedToken, DevicePayload)
        case problems([String])
    }

    private static let limit = 40

    /// Makes the page of a unit, with the content of the form so far.
    package static func make(
        _ id: String, _ catalog: Catalog, _ request: OverrideRequest, outcome: Outcome? = nil
    ) -> Page {
        typealias Item = OverrideRequest.Item
        let text = request[Item.text]
        let words = SearchWords(text)
        let definitions = catalog.plan.definitions
        let experiments = definitions.experiments.filter {
            $0.status != .concluded && !$0.variants.isEmpty
                && words.areFound(in: [$0.key, $0.description, $0.owner].compactMap(\.self))
        }
        let settings = definitions.settings.filter {
            words.areFound(in: [$0.path, $0.title, $0.description].compactMap(\.self))
        }
        return Page("Override on a device", below: (PageText.short(id), .unit(id)), part: .units) { page in
            page.p(
                """
                A signed token lets the app of a tester use other settings on one device, until it expires. What the \
                device reports then is marked as an override, and never counted.
                """)
            if let outcome { write(outcome, scheme: request[Item.scheme], in: &page) }
            page.form("Find experiments and settings") { form in
                form.field("Experiments and settings with these words", id: "text") { field in
                    field.input(
                        ["id": "text", "name": Item.text, "type": "search", "value": text],
                        ["autocomplete": "off", "dir": "auto"])
                }
                form.submit("Find")
            }
            page.form("Token", method: "post", class: nil) { form in
                form.hidden(Item.text, text)
                writeDevice(request, in: &form)
                writeExperiments(experiments.prefix(limit), request, in: &form)
                writeSettings(settings.prefix(limit), request, in: &form)
                if experiments.count > limit || settings.count > limit {
                    form.p(
                        """
                        There are \(max(0, experiments.count - limit)) more experiments and \
                        \(max(0, settings.count - limit)) more settings; find them by their text.
                        """, class: "notice")
                }
                form.element("p") { buttons in
                    buttons.inline("button", ["name": "operation", "value": "apply"], "Make the token")
                    buttons.inline(
                        "button", ["name": "operation", "value": "reset"], "Make a token that takes overrides back")
                }
            }
        }
    }

    static func writeSection(for id: String, _ links: PageLinks, in page: inout Markup) {
        page.element("section") { section in
            section.h2("Other settings on a tester's device")
            section.p(
                """
                \(link: "Make a token", to: links.to(.override(id))) that lets the app on one device use other \
                settings for a while. It needs the scope \(code: "override"). \
                \(link: "Read a device out", to: links.root + "device"): what it uses now.
                """)
        }
    }

    private static func write(_ outcome: Outcome, scheme: String, in page: inout Markup) {
        switch outcome {
        case .problems(let problems):
            guard !problems.isEmpty else { return }
            page.element("div", ["class": "notice bad", "role": "alert"]) { notice in
                notice.p("There is no token:")
                notice.list(problems.map { "\($0)" })
            }
        case .token(let token, let payload):
            page.element("section", ["class": "notice", "aria-labelledby": "issued"]) { section in
                write(token, payload, scheme: scheme, in: &section)
            }
        }
    }

    private static func write(
        _ token: SignedToken, _ payload: DevicePayload, scheme: String, in section: inout Markup
    ) {
        let link = token.link(scheme: scheme)
        let expires = Instant(seconds: payload.expires).description
        section.h2("Token for \(payload.device)", id: "issued")
        if payload.operation == .reset { section.p("The token takes back what an earlier one applied.") }
        section.p("For the app \(code: payload.app), until \(time: expires). It is shown once, and kept nowhere.")
        if let picture = QRCode(link ?? token.text)?.svg("QR code of the \(link == nil ? "token" : "link")") {
            section.p("Scan it with the device:")
            section.append(html: picture)
        } else {
            section.p("The token is too long for a QR code; send the text.")
        }
        if let link {
            section.p("\(link: "Open it in the app on this device", to: link)")
            section.p("Link:")
            section.pre(link)
        }
        section.p("Token:")
        section.pre(token.text)
        section.details("What it says") { $0.pre(payload.json.prettyText) }
    }

    private static func writeDevice(_ request: OverrideRequest, in form: inout Markup) {
        typealias Item = OverrideRequest.Item
        let expires = request[Item.expires]
        form.h2("Device")
        form.element("div", ["class": "filters"]) { fields in
            fields.field(
                "Device, by the ID that the app shows", id: Item.device, value: request[Item.device], isRequired: true)
            fields.field("App, such as com.example.shop", id: Item.app, value: request[Item.app], isRequired: true, [:])
            fields.field(
                "URL scheme of the app, for a link", id: Item.scheme, value: request[Item.scheme],
                ["pattern": #"[A-Za-z][A-Za-z0-9+.\-]*"#])
            fields.field(
                "Valid for (90s, 30m, 12h, 7d)", id: Item.expires, value: expires.isEmpty ? "7d" : expires,
                isRequired: true, [:])
        }
    }

    private static func writeExperiments(
        _ experiments: ArraySlice<ExperimentDefinition>, _ request: OverrideRequest, in form: inout Markup
    ) {
        guard !experiments.isEmpty else { return }
        form.h2("Variants")
        form.element("div", ["class": "columns"]) { columns in
            for (index, experiment) in experiments.enumerated() {
                let (id, name) = ("v-\(index)", OverrideRequest.Item.variant + experiment.key)
                columns.element("p") { line in
                    line.element("label", ["for": id]) {
                        $0.append("\(experiment.key) \(badge: experiment.status.rawValue)")
                    }
                    line.void("br")
                    line.select(
                        id: id, name: name,
                        [Markup.Option("", "unchanged")]
                            + experiment.variants.map { variant in
                                let words = variant.description.map { ": " + PageText.short($0, atMost: 60) } ?? ""
                                let isSelected = UTF8Order.areEqual(variant.key, request[name])
                                return Markup.Option(variant.key, variant.key + words, isSelected: isSelected)
                            })
                }
            }
        }
    }

    private static func writeSettings(
        _ settings: ArraySlice<DeclaredSetting>, _ request: OverrideRequest, in form: inout Markup
    ) {
        guard !settings.isEmpty else { return }
        form.h2("Settings")
        form.p("They win over the settings of variants. Empty: unchanged.", class: "faint")
        form.element("div", ["class": "columns"]) { columns in
            for (index, setting) in settings.enumerated() {
                let (id, name) = ("s-\(index)", OverrideRequest.Item.setting + setting.path)
                let title: Markup? = setting.title.map { "\(name: $0) · " }
                columns.element("p") { line in
                    line.element("label", ["for": id]) { $0.append("\(title)\(setting.path)") }
                    line.void("br")
                    setting.writeControl(request.text(of: setting), isOptional: true, name: name, id: id, in: &line)
                    line.void("br")
                    line.element("span", ["class": "faint"]) { base in
                        base.write("base: ")
                        base.element("code", ["dir": "auto"], setting.value.flowText)
                    }
                }
            }
        }
    }
}
