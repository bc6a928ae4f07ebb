import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports

/// `/settings/edit`: forms that change, add and remove settings of the base.
package enum SettingEditorPage {
    /// Makes the page that changes or removes a setting, or without one adds another.
    package static func make(
        _ setting: DeclaredSetting?, _ links: PageLinks, outcome: ChangeOutcome<SettingForm>? = nil
    ) -> Page {
        let action = links.to(.settingEditor)
        let proposal = outcome?.proposal
        return Page(
            setting.map { "Change \($0.path)" } ?? "Add a setting", below: ("Settings", .settings), part: .settings
        ) { page in
            outcome?.writeNotice(in: &page)
            if let setting {
                writeForms(setting, proposal, action: action, in: &page)
            } else if outcome?.isWritten != true {
                writeAddition(proposal?.form, action: action, in: &page)
            }
            if let proposal {
                page.element("section") { section in
                    section.h2("The change")
                    proposal.write(in: &section)
                }
            }
            outcome?.writeConfirmation(proposal?.form.confirmed ?? [], action: action, in: &page)
            page.p("\(link: "All settings", to: links.to(.settings))")
        }
    }

    private static func writeForms(
        _ setting: DeclaredSetting, _ proposal: SettingProposal?, action: String, in page: inout Markup
    ) {
        page.element("section") { section in
            section.h2("Another base value")
            setting.writeForm(proposal, action: action, isLink: false, in: &section)
        }
        page.element("section") { section in
            section.h2("Remove the setting")
            section.form("Removal", action: action, method: "post", class: nil) { form in
                form.hidden(Item.operation, SettingForm.Operation.remove.rawValue)
                form.hidden(Item.setting, setting.path)
                form.submit("Try to remove \(setting.path)", in: "p")
            }
        }
    }

    private typealias Item = SettingForm.Item

    /// The items of the form for a new setting: one of some names, a text of several lines, or a text of one.
    private static let fields: [(item: String, label: String, names: [String], isLong: Bool)] = [
        (Item.section, "Section", [], false), (Item.name, "Name", [], false),
        (Item.type, "Type", DeclaredSetting.types, false),
        (Item.format, "Format", SettingFormat.allCases.map(\.rawValue), false), (Item.value, "Base value", [], true),
        (Item.minimum, "Minimum", [], false), (Item.maximum, "Maximum", [], false),
        (Item.pattern, "Pattern of texts", [], false), (Item.allowed, "Allowed values, one on each line", [], true),
        (Item.description, "Description", [], true),
    ]

    private static func writeAddition(_ typed: SettingForm?, action: String, in page: inout Markup) {
        page.form("New setting", action: action, method: "post", class: nil) { form in
            form.hidden(Item.operation, SettingForm.Operation.add.rawValue)
            form.element("div", ["class": "filters"]) { fields in
                for (item, label, names, isLong) in Self.fields {
                    let text = typed?[item] ?? ""
                    fields.field("\(label)", id: item) { field in
                        if !names.isEmpty {
                            field.select(
                                id: item, name: item,
                                ([""] + names).map {
                                    Markup.Option($0, $0.isEmpty ? "any" : $0, isSelected: $0 == text)
                                }, ["dir": "auto"])
                        } else if isLong {
                            field.textarea(text, ["id": item, "name": item, "rows": "3", "cols": "40", "dir": "auto"])
                        } else {
                            field.input(
                                ["type": "text", "id": item, "name": item, "value": text],
                                ["autocomplete": "off", "dir": "auto"])
                        }
                    }
                }
            }
            form.submit("Try it", in: "p")
        }
    }
}
