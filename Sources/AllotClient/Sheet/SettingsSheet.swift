public import AllotConfiguration

public import struct Foundation.URL

/// A page in which testers see the settings of an app on the device, override them and read the device out.
///
/// The page is one HTML document that loads nothing and works without scripts. The app shows it in a web view, or
/// serves it on this machine only: everyone who can send it a form can change the app's settings. Reading it reports no
/// exposure.
public struct SettingsSheet: Sendable {
    let client: ConfigurationClient
    let catalog: SettingsCatalog
    let experiments: [(key: String, variants: [LocalOverrides.Variant])]
    let app: String?
    let device: String?
    let server: URL?

    static let readoutPath = "readout"
    static let formLimit = 1 << 20

    /// Creates the page of an app.
    ///
    /// - Parameters:
    ///   - variants: the variants that can be chosen here, by experiment, such as those that `allot generate swift`
    ///     writes. Other experiments are only shown.
    ///   - app: the app's ID, for read-outs, as `device` is the device's.
    ///   - server: the URL of the server whose pages show read-outs; `nil` if there is none.
    public init(
        _ client: ConfigurationClient, _ catalog: SettingsCatalog, variants: [String: [LocalOverrides.Variant]] = [:],
        app: String? = nil, device: String? = nil, server: URL? = nil
    ) {
        (self.client, self.catalog) = (client, catalog)
        experiments = variants.sorted { UTF8Order.precedes($0.key, $1.key) }.map { ($0.key, $0.value) }
        (self.app, self.device, self.server) = (app, device, server)
    }

    /// The values, modifications and variants on this device, also of settings that the app does not declare.
    public var readout: DeviceReadout {
        let configuration = client.current
        let served = configuration.sections.settings.map { (key: "\($0.section).\($0.setting)", value: $0.value) }
        let declared = catalog.declarations.map { declaration in
            (key: declaration.path, value: CurrentValue(declaration, configuration).json)
        }
        let settings = JSONObject(served + declared)
        let modified = configuration.modifications(of: catalog).map(\.declaration.path)
        return DeviceReadout(
            app: app, device: device, user: configuration.user.id, revision: configuration.document.revision,
            settings: settings,
            modifications: JSONObject(modified.compactMap { path in settings[path].map { (key: path, value: $0) } }),
            variants: JSONObject(
                configuration.assignments.map { (key: $0.experiment, value: JSONValue.string($0.variant)) }))
    }

    /// Answers a browser's `GET`, `HEAD` or `POST` with a form. The last component of the path in the target names the
    /// page; those before it are the app's own.
    public func answer(_ method: String, _ target: String, form: [UInt8] = []) async -> SheetAnswer {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let last = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        let name = last.map { String(Substring($0)) } ?? ""
        guard name.isEmpty || name == Self.readoutPath else { return .failure(404, "There is no such page.") }
        switch method {
        case "GET", "HEAD":
            return .page(status: 200, html: name.isEmpty ? SheetPage(self).html : ReadoutPage(self).html)
        case "POST" where name.isEmpty: return take(form)
        default: return .failure(405, "The page does not take this method.")
        }
    }
}

/// The answer to a request for a page of a ``SettingsSheet``.
public enum SheetAnswer: Sendable, Hashable {
    /// A page in HTML and UTF-8 with an HTTP status: 200, 422 if a value was refused, and others for requests that no
    /// form of the page sends.
    case page(status: Int, html: String)
    /// A relative reference: the change is made, and a browser loads this page next (303 in HTTP).
    case redirect(String)

    static let strangeForm = failure(400, "The form is not one of this page. Load the page again.")

    static func failure(_ status: Int, _ sentence: String) -> SheetAnswer {
        let back = #"<p><a href="./">To the settings</a></p>"#
        return .page(status: status, html: SheetFrame.html("Settings", "<p>\(HTMLText.escaped(sentence))</p>\(back)"))
    }
}

extension SettingsSheet {
    private func take(_ body: [UInt8]) -> SheetAnswer {
        guard body.count <= Self.formLimit else {
            return .failure(413, "The form has \(body.count) bytes, and the limit is \(Self.formLimit).")
        }
        guard let form = SheetForm(body) else { return .failure(400, "The form is not valid.") }
        guard !form.containsNull else { return .failure(400, "The form contains U+0000, which texts must not.") }
        let setting = form.index(SheetForm.Item.setting, below: catalog.declarations.count)
        let experiment = form.index(SheetForm.Item.experiment, below: experiments.count)
        switch (form[SheetForm.Item.action], setting, experiment) {
        case (SheetForm.Action.set, let index?, _): return set(index, form)
        case (SheetForm.Action.reset, let index?, _):
            let declaration = catalog.declarations[index]
            return changed(client.override(declaration.section, declaration.setting, with: nil), SheetPage.id(index))
        case (SheetForm.Action.choose, _, let index?):
            let (key, variants) = experiments[index]
            let variant = form.index(SheetForm.Item.variant, below: variants.count).map { variants[$0] }
            // An empty text takes the choice back.
            guard variant != nil || form[SheetForm.Item.variant].isEmpty else { return .strangeForm }
            return changed(client.override(experiment: key, with: variant), SheetPage.experimentID(index))
        case (SheetForm.Action.resetAll, _, _): return changed(client.resetOverrides(), "")
        default: return .strangeForm
        }
    }

    private func set(_ index: Int, _ form: SheetForm) -> SheetAnswer {
        let declaration = catalog.declarations[index]
        guard let text = form.text(of: declaration) else { return .strangeForm }
        func refused(_ reason: String) -> SheetAnswer {
            .page(status: 422, html: SheetPage(self, refusal: .init(index: index, text: text, reason: reason)).html)
        }
        let value: JSONValue
        do throws(SheetTextError) {
            value = try declaration.value(of: text, isJSON: form.isJSON)
        } catch { return refused(error.description) }
        // The sheet is where another value is chosen.
        if let refusal = declaration.refusal(of: SettingEntry(value: value, source: .default)) {
            return refused(refusal.description)
        }
        return changed(client.override(declaration.section, declaration.setting, with: value), SheetPage.id(index))
    }

    private func changed(_ error: StoreError?, _ id: String) -> SheetAnswer {
        guard let error else { return .redirect(id.isEmpty ? "./" : "./#\(id)") }
        let notice = "The change is effective, but not stored for the next run of the app: \(error.description)"
        return .page(status: 200, html: SheetPage(self, notice: notice).html)
    }
}
