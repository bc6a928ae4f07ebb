import AllotConfiguration
import AllotCore
import AllotReports

/// `/device`: the values of one device, as its app read them out, next to those of the definitions.
package enum DevicePage {
    package enum Item {
        static let readout = "readout", attributes = "attributes"
        package static let all = [readout, attributes]
    }

    package static func make(_ items: [String: String], _ plan: Plan, in frame: PageFrame) -> Page {
        let (readout, attributes) = (items[Item.readout] ?? "", items[Item.attributes] ?? "")
        var (problem, comparison): (String?, DeviceComparison?) = (nil, nil)
        do {
            if !readout.isEmpty {
                comparison = try DeviceComparison(
                    DeviceReadout(link: readout), attributes: UnitPage.lines(of: attributes), in: plan,
                    at: frame.instant)
            }
        } catch { problem = "\(error)" }
        return Page("A tester's device", below: ("Units", .units), part: .units) { page in
            page.problem(problem)
            write(readout, attributes, isOpen: comparison == nil, in: &page)
            if let comparison { write(comparison, frame.links, in: &page) }
        }
    }

    private static func write(_ readout: String, _ attributes: String, isOpen: Bool, in page: inout Markup) {
        page.details("Which device, and what is known of its user", isOpen: isOpen) { details in
            details.form("Device", class: "unit-form") { form in
                form.area(
                    "Read-out: the link that the app shows, or its JSON", id: "device-readout", name: Item.readout,
                    value: readout, isRequired: true)
                form.area(
                    "Attributes of the user, \(code: "name=value") on each line", id: "device-attributes",
                    name: Item.attributes, value: attributes)
                form.submit("Compare")
            }
        }
    }

    private static func write(_ comparison: DeviceComparison, _ links: PageLinks, in page: inout Markup) {
        let readout = comparison.readout
        page.p("\(comparison.summary)", class: "lead")
        page.element("dl") { list in
            list.fact("App", readout.app.map { "\(name: $0)" } ?? "not named")
            list.fact("Device", readout.device.map { "\(name: $0)" } ?? "not named")
            list.fact("User", readout.user.map { "\(linked: "\(name: $0)", to: links.to(.unit($0)))" } ?? "none")
        }
        page.p("\(comparison.revisionWords)", class: comparison.isPresent == false ? "notice" : nil)
        if let missing = comparison.missingWords { page.p("\(missing)", class: "notice") }
        if !comparison.settings.isEmpty { write(comparison.settings, links, in: &page) }
        if !comparison.variants.isEmpty { write(comparison.variants, links, in: &page) }
    }

    private static func write(_ settings: [DeviceComparison.Setting], _ links: PageLinks, in page: inout Markup) {
        page.h2("Settings", id: "settings")
        page.cards(
            "Settings of the device, of the base, and as the definitions give them now",
            heads: ["Setting", "Device", "Base", "Now", "Standing", "Set by"], of: settings, isChanged: \.isMarked
        ) { setting, row in
            row.rowHead("\(code: setting.name)")
            row.value(setting.device, "Device")
            row.value(setting.base, "Base")
            row.value(setting.now, "Now")
            row.cell("\(setting.words)", class: "first")
            row.sources(setting.sources, links)
        }
    }

    private static func write(_ variants: [DeviceComparison.Variant], _ links: PageLinks, in page: inout Markup) {
        page.h2("Variants", id: "variants")
        page.cards(
            "Variants of the device, and those that the definitions assign now",
            heads: ["Experiment", "Device", "Now"], of: variants, isChanged: \.isMarked
        ) { found, row in
            let link = found.now.map { _ in links.to(.experiment(found.experiment)) }
            row.rowHead("\(link: found.experiment, to: link)")
            row.cell("\(found.variant)", "Device")
            row.cell("\(found.outcome)", "Now")
        }
    }
}
