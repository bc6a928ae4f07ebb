import AllotConfiguration
import AllotCore
import AllotDefinitions

/// `/units/{id}/override`: makes a token that lets a tester's device use other settings for a while.
package enum OverridePage {
    /// The outcome of a form.
    package enum Outcome: Sendable {
        /// The token, which no other page shows.
        case token(SignedToken, DevicePayload)
        /// The reasons why there is no token.
        case problems([String])
    }

    /// The most experiments and the most settings of one form.
    private static let limit = 40

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - id: the unit's ID, for which the device need not be known.
    ///   - request: the content of the form so far.
    ///   - outcome: the outcome of the form; `nil` before it is sent.
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
        return Page(
            "Override on a device", below: [Page.Breadcrumb(PageText.short(id), .unit(id))], part: .units, template,
            [
                "text": text, "device": request[Item.device], "app": request[Item.app],
                "scheme": request[Item.scheme],
                "expires": request[Item.expires].isEmpty ? "7d" : request[Item.expires],
                "experiments": experiments.prefix(limit).enumerated().map { experiment($1, $0, request) },
                "hasExperiments": !experiments.isEmpty, "moreExperiments": max(0, experiments.count - limit),
                "settings": settings.prefix(limit).enumerated().map { setting($1, $0, request) },
                "hasSettings": !settings.isEmpty, "moreSettings": max(0, settings.count - limit),
                "isCut": experiments.count > limit || settings.count > limit,
                "problems": problems(outcome), "hasProblems": !problems(outcome).isEmpty,
                "issued": issued(outcome, request[Item.scheme]),
            ])
    }

    /// The link to the page from that of a unit, as HTML.
    package static func section(for id: String, _ links: PageLinks) -> String {
        let link = HTMLText.escaped(links.to(.override(id)))
        return """
            <section><h2>Other settings on a tester's device</h2>
            <p><a href="\(link)">Make a token</a> that lets the app on one device use other settings for a while. It \
            needs the scope <code>override</code>. \(DevicePage.link(links)): what it uses now.</p></section>
            """
    }

    private static func problems(_ outcome: Outcome?) -> [String] {
        if case .problems(let problems)? = outcome { problems } else { [] }
    }

    private static func issued(_ outcome: Outcome?, _ scheme: String) -> PageValues? {
        guard case .token(let token, let payload)? = outcome else { return nil }
        let link = token.link(scheme: scheme)
        let expires = Instant(seconds: payload.expires)
        let picture = QRCode(link ?? token.text)?.svg("QR code of the \(link == nil ? "token" : "link")")
        return [
            "token": token.text, "link": link, "picture": picture, "until": expires.description,
            "device": payload.device, "app": payload.app, "resets": payload.operation == .reset,
            "payload": payload.json.prettyText,
        ]
    }

    private static func experiment(
        _ experiment: ExperimentDefinition, _ index: Int, _ request: OverrideRequest
    ) -> PageValues {
        let name = OverrideRequest.Item.variant + experiment.key
        let chosen = request[name]
        return [
            "id": "v-\(index)", "name": name, "key": experiment.key, "status": experiment.status.rawValue,
            "variants": experiment.variants.map { variant -> PageValues in
                [
                    "key": variant.key, "selected": UTF8Order.areEqual(variant.key, chosen),
                    "words": variant.description.map { PageText.short($0, atMost: 60) },
                ]
            },
        ]
    }

    private static func setting(_ setting: DeclaredSetting, _ index: Int, _ request: OverrideRequest) -> PageValues {
        let name = OverrideRequest.Item.setting + setting.path
        return [
            "id": "s-\(index)", "path": setting.path, "title": setting.title, "base": setting.value.flowText,
            "control": SettingControlView.values(
                setting, request.text(of: setting), isOptional: true, name: name, id: "s-\(index)"),
        ]
    }

    private static let template = PageTemplate(
        """
        <p>A signed token lets the app of a tester use other settings on one device, until it expires. What the device \
        reports then is marked as an override, and never counted.</p>
        {{#hasProblems}}
        <div class="notice bad" role="alert"><p>There is no token:</p>
        <ul>{{#problems}}<li>{{.}}</li>{{/problems}}</ul></div>
        {{/hasProblems}}
        {{#issued}}
        <section class="notice" aria-labelledby="issued">
        <h2 id="issued">Token for {{device}}</h2>
        {{#resets}}<p>It takes back what an earlier token applied.</p>{{/resets}}
        <p>For the app <code>{{app}}</code>, until <time datetime="{{until}}">{{until}}</time>. It is shown once, \
        and kept nowhere.</p>
        {{#picture}}<p>Scan it with the device:</p>{{{picture}}}{{/picture}}
        {{^picture}}<p>It is too long for a QR code; send the text.</p>{{/picture}}
        {{#link}}<p><a href="{{link}}">Open it in the app on this device</a></p>
        <p>Link:</p><pre tabindex="0">{{link}}</pre>{{/link}}
        <p>Token:</p><pre tabindex="0">{{token}}</pre>
        <details><summary>What it says</summary><pre tabindex="0">{{payload}}</pre></details>
        </section>
        {{/issued}}
        <form class="filters" method="get" aria-label="Find experiments and settings">
        <div><label for="text">Experiments and settings with these words</label>
        <input id="text" name="text" type="search" value="{{{data(text)}}}" autocomplete="off" dir="auto"></div>
        <div><button>Find</button></div>
        </form>
        <form method="post" aria-label="Token">
        <input type="hidden" name="text" value="{{{data(text)}}}">
        <h2>Device</h2>
        <div class="filters">
        <div><label for="device">Device, by the ID that the app shows</label>
        <input id="device" name="device" value="{{{data(device)}}}" required autocomplete="off" dir="auto"></div>
        <div><label for="app">App, such as com.example.shop</label>
        <input id="app" name="app" value="{{{data(app)}}}" required></div>
        <div><label for="scheme">URL scheme of the app, for a link</label>
        <input id="scheme" name="scheme" value="{{{data(scheme)}}}" pattern="[A-Za-z][A-Za-z0-9+.\\-]*"></div>
        <div><label for="expires">Valid for (90s, 30m, 12h, 7d)</label>
        <input id="expires" name="expires" value="{{{data(expires)}}}" required></div>
        </div>
        {{#hasExperiments}}
        <h2>Variants</h2>
        <div class="columns">
        {{#experiments}}
        <p><label for="{{id}}">{{key}} <span class="badge {{status}}">{{status}}</span></label><br>
        <select id="{{id}}" name="{{{data(name)}}}"><option value="">unchanged</option>
        {{#variants}}
        <option value="{{{data(key)}}}"{{#selected}} selected{{/selected}}>{{key}}\
        {{#words}}: {{words}}{{/words}}</option>
        {{/variants}}
        </select></p>
        {{/experiments}}
        </div>
        {{/hasExperiments}}
        {{#hasSettings}}
        <h2>Settings</h2>
        <p class="faint">They win over the settings of variants. Empty: unchanged.</p>
        <div class="columns">
        {{#settings}}
        <p><label for="{{id}}">{{#title}}<bdi>{{title}}</bdi> · {{/title}}{{path}}</label><br>
        {{#control}}\(SettingControlView.template){{/control}}<br>
        <span class="faint">base: <code dir="auto">{{base}}</code></span></p>
        {{/settings}}
        </div>
        {{/hasSettings}}
        {{#isCut}}<p class="notice">There are {{moreExperiments}} more experiments and {{moreSettings}} more settings; \
        find them by their text.</p>{{/isCut}}
        <p><button name="operation" value="apply">Make the token</button> \
        <button name="operation" value="reset">Make a token that takes overrides back</button></p>
        </form>
        """)
}
