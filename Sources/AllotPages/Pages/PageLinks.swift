/// A page, or what all pages use.
package enum PagePlace: Sendable, Hashable {
    case overview
    /// All experiments by a criterion. Servers have the overview in its place.
    case index(CatalogIndex)
    case experiment(String)
    /// The patch of a change of an experiment, which the query says. Files do not have it.
    case patch(String)
    /// The stored exposures to an experiment in one randomisation, by its salt. Files do not have them.
    case exposures(String, salt: String)
    case layer(String)
    case holdout(String)
    case settings
    /// One setting, by its name. Files have all on one page.
    case setting(String)
    /// The forms that change settings. Files do not have this page.
    case settingEditor
    /// The configuration of a unit, by its ID. Files do not have this page.
    case unit(String)
    /// Where the form for a unit leads: the ID is the item `id` of the query. Files do not have this page.
    case units
    /// Where a token for a device of a unit is made, by the unit's ID. Files do not have this page.
    case override(String)
    case style
    case icon
}

/// Makes the links of one page: all are relative, so that pages work below any path and as files.
package struct PageLinks: Sendable, Hashable {
    package enum Form: Sendable, Hashable {
        case routes
        case files
    }

    package let form: Form
    /// The way from the page to the root of all pages: empty, or with a slash at its end.
    package let root: String
    package init(_ form: Form, root: String) { (self.form, self.root) = (form, root) }

    package init(ofFile place: PagePlace) {
        let depth = Self.path(place, .files).utf8.count { $0 == UInt8(ascii: "/") }
        self.init(.files, root: String(repeating: "../", count: depth))
    }

    /// Makes the links of a page of a server by its address as the browser knows it, with slashes that are doubled or
    /// stand at the end; its last `depth` components belong to the page.
    package init(ofRequest path: String, depth: Int) {
        var bytes = path.utf8[...]
        let slash = UInt8(ascii: "/")
        for _ in 0..<depth {
            while bytes.last == slash { bytes.removeLast() }
            while let last = bytes.last, last != slash { bytes.removeLast() }
        }
        let up = min(path.utf8[bytes.endIndex...].count { $0 == slash }, Self.mostSteps)
        if up == 0, let last = path.split(separator: "/", omittingEmptySubsequences: false).last, depth == 0 {
            // Mounted below a path, and asked for without the slash at its end.
            self.init(.routes, root: last.isEmpty ? "" : "./\(last)/")
        } else {
            self.init(.routes, root: String(repeating: "../", count: up))
        }
    }

    /// The most steps up to the root that links have: each link of a page would repeat thousands of slashes.
    private static let mostSteps = 64

    /// The reference to another page, for an attribute of HTML.
    package func to(_ place: PagePlace) -> String {
        let reference = root + Self.path(place, form)
        return reference.isEmpty ? "./" : reference
    }

    static func path(_ place: PagePlace, _ form: Form) -> String {
        let ending = form == .files ? ".html" : ""
        return switch place {
        case .overview: form == .files ? "index.html" : ""
        case .index(let index): form == .files && index != .layer ? "by-\(index.rawValue).html" : path(.overview, form)
        case .experiment(let key): "experiments/\(encoded(key))\(ending)"
        case .patch(let key): "experiments/\(encoded(key))/patch"
        case .exposures(let key, let salt): "exposures?experiment=\(encoded(key))&salt=\(encoded(salt))"
        case .layer(let name): "layers/\(encoded(name))\(ending)"
        case .holdout(let name): "holdouts/\(encoded(name))\(ending)"
        case .settings: "settings\(ending)"
        case .setting(let path): form == .files ? "settings.html" : "settings?setting=\(encoded(path))"
        case .settingEditor: "settings/edit"
        // Browsers take dots for steps of the path, encoded or not.
        case .unit(let id) where id.isEmpty || id == "." || id == "..": "units?id=\(encoded(id))"
        case .unit(let id): "units/\(encoded(id))"
        case .override(let id) where id.isEmpty || id == "." || id == "..": "units"
        case .override(let id): "units/\(encoded(id))/override"
        case .units: "units"
        case .style: "style.css"
        case .icon: "favicon.svg"
        }
    }

    /// A text as a component of a path or as the value of an item of a query.
    package static func encoded(_ text: String) -> String { text.percentEncoded(keeping: \.isUnreservedInURI) }
}
