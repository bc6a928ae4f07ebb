import AllotConfiguration
import AllotCore

/// `/device`: the values of one device, as its app read them out, next to those of the definitions.
package enum DevicePage {
    package enum Item {
        static let readout = "readout", attributes = "attributes"
        package static let all = [readout, attributes]
    }

    /// Makes the page: the form, with the comparison if a read-out is sent.
    package static func make(_ items: [String: String], _ plan: Plan, in frame: PageFrame) -> Page {
        let (readout, attributes) = (items[Item.readout] ?? "", items[Item.attributes] ?? "")
        var (problem, comparison): (String?, DeviceComparison?) = (nil, nil)
        do {
            if !readout.isEmpty {
                comparison = try DeviceComparison(
                    DeviceReadout(link: readout), attributes: UnitPage.lines(of: attributes), in: plan,
                    at: frame.instant)
            }
        } catch {
            problem = "\(error)"
        }
        return Page(
            "A tester's device", below: [Page.Breadcrumb("Units", .units)], part: .units, template,
            [
                "readout": readout, "attributes": attributes, "isOpen": comparison == nil, "problem": problem,
                "answer": comparison.map { values($0, frame) },
            ])
    }

    /// The link to the page from that of a unit, as HTML.
    static func link(_ links: PageLinks) -> String {
        "<a href=\"\(HTMLText.escaped(links.root + "device"))\">Read a device out</a>"
    }

    private static func values(_ comparison: DeviceComparison, _ frame: PageFrame) -> PageValues {
        let readout = comparison.readout
        return [
            "app": readout.app, "device": readout.device, "user": readout.user,
            "unit": readout.user.map { frame.links.to(.unit($0)) },
            "summary": comparison.summary, "revision": comparison.revisionWords,
            "isStale": comparison.isPresent == false, "missing": comparison.missingWords,
            "settings": comparison.settings.map { setting -> PageValues in
                [
                    "name": setting.name, "isMarked": setting.standing != .expected, "standing": setting.words,
                    "onDevice": ShownValue.values(setting.device), "base": ShownValue.values(setting.base),
                    "now": ShownValue.values(setting.now),
                    "sources": setting.sources.map { source -> PageValues in
                        [
                            "key": source.experiment, "outcome": source.outcome,
                            "link": frame.links.to(.experiment(source.experiment)),
                        ]
                    },
                ]
            },
            "hasSettings": !comparison.settings.isEmpty,
            "variants": comparison.variants.map { found -> PageValues in
                [
                    "key": found.experiment, "variant": found.variant, "now": found.outcome,
                    "isMarked": !found.isExpected,
                    "link": found.now.map { _ in frame.links.to(.experiment(found.experiment)) },
                ]
            },
            "hasVariants": !comparison.variants.isEmpty,
        ]
    }

    private static let template = PageTemplate(
        """
        {{#problem}}<p class="notice bad" role="alert">{{problem}}</p>{{/problem}}
        <details{{#isOpen}} open{{/isOpen}}><summary>Which device, and what is known of its user</summary>
        <form class="unit-form" method="get" aria-label="Device">
        <div><label for="device-readout">Read-out: the link that the app shows, or its JSON</label>
        <textarea id="device-readout" name="readout" rows="4" required spellcheck="false" dir="auto">
        {{{data(readout)}}}</textarea></div>
        <div><label for="device-attributes">Attributes of the user, <code>name=value</code> on each line</label>
        <textarea id="device-attributes" name="attributes" rows="4" spellcheck="false" dir="auto">
        {{{data(attributes)}}}</textarea></div>
        <div><button>Compare</button></div>
        </form>
        </details>
        {{#answer}}
        <p class="lead">{{summary}}</p>
        <dl>
        <dt>App</dt><dd>{{#app}}<bdi>{{app}}</bdi>{{/app}}{{^app}}not named{{/app}}</dd>
        <dt>Device</dt><dd>{{#device}}<bdi>{{device}}</bdi>{{/device}}{{^device}}not named{{/device}}</dd>
        <dt>User</dt><dd>{{#user}}<a href="{{unit}}"><bdi>{{user}}</bdi></a>{{/user}}{{^user}}none{{/user}}</dd>
        </dl>
        <p{{#isStale}} class="notice"{{/isStale}}>{{revision}}</p>
        {{#missing}}<p class="notice">{{missing}}</p>{{/missing}}
        {{#hasSettings}}
        <h2 id="settings">Settings</h2>
        <table class="list cards">
        <caption>Settings of the device, of the base, and as the definitions give them now</caption>
        <thead><tr><th scope="col">Setting</th><th scope="col">Device</th><th scope="col">Base</th>\
        <th scope="col">Now</th><th scope="col">Standing</th><th scope="col">Set by</th></tr></thead>
        <tbody>{{#settings}}<tr{{#isMarked}} class="changed"{{/isMarked}}>\
        <th scope="row"><code>{{name}}</code></th>\
        <td data-label="Device">{{#onDevice}}\(ShownValue.template){{/onDevice}}</td>\
        <td data-label="Base">{{#base}}\(ShownValue.template){{/base}}</td>\
        <td data-label="Now">{{#now}}\(ShownValue.template){{/now}}</td>\
        <td class="first">{{standing}}</td>\
        <td data-label="Set by">{{#sources}}<a href="{{link}}">{{key}}</a>: {{outcome}}<br>\
        {{/sources}}</td></tr>
        {{/settings}}</tbody></table>
        {{/hasSettings}}
        {{#hasVariants}}
        <h2 id="variants">Variants</h2>
        <table class="list cards"><caption>Variants of the device, and those that the definitions assign now</caption>
        <thead><tr><th scope="col">Experiment</th><th scope="col">Device</th><th scope="col">Now</th></tr></thead>
        <tbody>{{#variants}}<tr{{#isMarked}} class="changed"{{/isMarked}}>\
        <th scope="row">{{#link}}<a href="{{link}}">{{key}}</a>{{/link}}\
        {{^link}}{{key}}{{/link}}</th><td data-label="Device">{{variant}}</td><td data-label="Now">{{now}}</td></tr>
        {{/variants}}</tbody></table>
        {{/hasVariants}}
        {{/answer}}
        """)
}
