import AllotConfiguration

struct SheetPage {
    struct Refusal {
        let index: Int
        let text: String
        let reason: String
    }

    private let sheet: SettingsSheet
    private let configuration: Configuration
    private let refusal: Refusal?
    private let notice: String?

    init(_ sheet: SettingsSheet, refusal: Refusal? = nil, notice: String? = nil) {
        (self.sheet, self.refusal, self.notice) = (sheet, refusal, notice)
        configuration = sheet.client.current
    }

    static func id(_ index: Int) -> String { "s\(index)" }
    static func experimentID(_ index: Int) -> String { "e\(index)" }

    var html: String {
        var sections = ""
        var rest = Array(sheet.catalog.declarations.enumerated())[...]
        while let first = rest.first {
            let group = rest.prefix { UTF8Order.areEqual($0.element.section, first.element.section) }
            rest = rest.dropFirst(group.count)
            sections += "<section><h2>\(HTMLText.escaped(first.element.section))</h2>\n"
            sections += group.map { setting($0.offset, $0.element) }.joined() + "</section>\n"
        }
        let content = notices + summary + sections + experiments
        return SheetFrame.html(sheet.app.map { "Settings of \($0)" } ?? "Settings", content)
    }

    private var notices: String {
        var notices = ""
        if let notice { notices += "<p class=\"notice\" role=\"alert\">\(HTMLText.escaped(notice))</p>\n" }
        if let refusal {
            let name = HTMLText.escaped(sheet.catalog.declarations[refusal.index].path)
            notices += "<p class=\"notice\" role=\"alert\"><a href=\"#\(Self.id(refusal.index))\">\(name)</a> is not "
            notices += "changed.</p>\n"
        }
        return notices
    }

    private var summary: String {
        var facts = [("User", configuration.user.id ?? "none"), ("Configuration", configuration.origin.rawValue)]
        if let revision = configuration.document.revision { facts.append(("Revision", revision)) }
        let overrides = configuration.overrides
        if let expires = overrides.expires {
            facts.append(("Overrides end", Instant(milliseconds: expires.milliseconds).description))
        }
        let rows = facts.map { "<div><dt>\($0.0)</dt><dd>\(HTMLText.escaped($0.1))</dd></div>" }.joined()
        let link = "<p><a href=\"\(SettingsSheet.readoutPath)\">Read this device out</a></p>"
        let reset = form(Self.button(SheetForm.Action.resetAll, "Reset all overrides", isPlain: true))
        return "<dl>\(rows)</dl>\n\(link)\n\(overrides.isEmpty ? "" : reset)"
    }

    private func setting(_ index: Int, _ declaration: SettingDeclaration) -> String {
        let id = Self.id(index)
        let current = CurrentValue(declaration, configuration)
        let refused = refusal.flatMap { $0.index == index ? $0 : nil }
        let control = SheetControl(declaration, current.json, typed: refused?.text, id: "\(id)-value")
        var hints = declaration.description.map { [$0] } ?? []
        hints += control.hints
        if declaration.requiresRestart { hints.append("The app uses a new value after it starts again.") }
        var remarks: [(id: String, kind: String, html: String)] = []
        if let refused { remarks.append(("\(id)-refusal", "bad", HTMLText.escaped(refused.reason))) }
        if let refusal = current.refusal {
            let reason = "The configuration's value is refused, and the app uses its default: \(refusal)"
            remarks.append(("\(id)-fault", "bad", HTMLText.escaped(reason)))
        }
        if let change = current.change {
            let before = HTMLText.escaped(PrintableText(change.before, atMost: 200).description)
            let html = "Changed from <code>\(before)</code> \(HTMLText.escaped(change.author))."
            remarks.append(("\(id)-change", "changed", html))
        }
        if !hints.isEmpty {
            remarks.append(("\(id)-hint", "faint", hints.map(HTMLText.escaped).joined(separator: "<br>")))
        }
        let paragraphs = remarks.map { #"<p id="\#($0.id)" class="\#($0.kind)">\#($0.html)</p>"# }
        let unit = declaration.unit.map { "<span>\(HTMLText.escaped($0))</span> " } ?? ""
        let name = HTMLText.escaped(declaration.path)
        let title = declaration.title.map { "<bdi>\(HTMLText.escaped($0))</bdi> <code>\(name)</code>" } ?? name
        let element = control.html(describedBy: remarks.map(\.id), isInvalid: refused != nil)
        var buttons = Self.button(SheetForm.Action.set, "Apply", of: name)
        if current.isOverridden { buttons += Self.button(SheetForm.Action.reset, "Reset", of: name, isPlain: true) }
        return form(
            """
            <input type="hidden" name="\(SheetForm.Item.setting)" value="\(index)">
            <label for="\(id)-value">\(title)</label>
            <div class="control">\(element) \(unit)\(buttons)</div>
            \(paragraphs.joined(separator: "\n"))
            """, id: id)
    }

    private var experiments: String {
        let keys = sheet.experiments.map(\.key)
        var rows = sheet.experiments.enumerated().map { picker($0.offset, $0.element.key, $0.element.variants) }
        for assignment in configuration.assignments
        where !keys.contains(where: { UTF8Order.areEqual($0, assignment.experiment) }) {
            rows.append("<p><b>\(HTMLText.escaped(assignment.experiment))</b>: \(state(assignment.experiment))</p>\n")
        }
        return rows.isEmpty ? "" : "<section><h2>Experiments</h2>\n\(rows.joined())</section>\n"
    }

    private func state(_ experiment: String) -> String {
        guard let assignment = configuration.assignments[experiment] else { return "no variant" }
        let reason = assignment.isOverridden ? "chosen on this device" : assignment.reason
        return "<code>\(HTMLText.escaped(assignment.variant))</code> (\(HTMLText.escaped(reason)))"
    }

    private func picker(_ index: Int, _ key: String, _ variants: [LocalOverrides.Variant]) -> String {
        let id = Self.experimentID(index)
        let chosen = configuration.overrides.variants[key]
        let options = variants.enumerated().map { place, variant in
            let isChosen = chosen.map { UTF8Order.areEqual($0.variant, variant.variant) } ?? false
            let name = HTMLText.escaped(variant.variant)
            return "<option value=\"\(place)\"\(isChosen ? " selected" : "")>\(name)</option>"
        }
        let name = HTMLText.escaped(key)
        return form(
            """
            <input type="hidden" name="\(SheetForm.Item.experiment)" value="\(index)">
            <label for="\(id)-variant">\(name)</label>
            <div class="control"><select id="\(id)-variant" name="\(SheetForm.Item.variant)" \
            aria-describedby="\(id)-state"><option value="">as the server decides</option>\(options.joined())</select> \
            \(Self.button(SheetForm.Action.choose, "Apply", of: name))</div>
            <p id="\(id)-state" class="faint">Now \(state(key)).</p>
            """, id: id)
    }

    private func form(_ content: String, id: String? = nil) -> String {
        let id = id.map { " id=\"\($0)\"" } ?? ""
        return "<form method=\"post\" action=\"./\"\(id)>\n\(content)\n</form>\n"
    }

    /// A button; its name also says of what it is, for people who hear it alone.
    private static func button(
        _ action: String, _ label: String, of name: String? = nil, isPlain: Bool = false
    ) -> String {
        let rest = name.map { "<span class=\"heard\"> \($0)</span>" } ?? ""
        return "<button name=\"\(SheetForm.Item.action)\" value=\"\(action)\"\(isPlain ? " class=\"plain\"" : "")>"
            + "\(label)\(rest)</button> "
    }
}
