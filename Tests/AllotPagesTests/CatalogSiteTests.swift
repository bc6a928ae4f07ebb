import AllotCore
import AllotDefinitions
import AllotGit
import AllotPages
import Foundation
import TestSupport
import Testing

/// The pages of the sample shop as files.
@Suite(.blocks) struct CatalogSiteTests {
    private static func site() throws -> CatalogSite {
        let folder = URL(filePath: #filePath).appending(path: "../../../Experiments").standardized.path
        let loaded = try DefinitionsLoader(now: Catalog.now).load(folder: folder)
        return CatalogSite(Catalog(loaded.plan, warnings: loaded.warnings, at: Catalog.now))
    }

    /// The texts of a site's files, by path.
    private static func files(_ site: CatalogSite) -> [String: String] {
        Dictionary(uniqueKeysWithValues: site.files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
    }

    /// The references of a page: what `href`, `action` and `src` say.
    private static func references(_ page: String) -> [String] {
        ["href=\"", "action=\"", "src=\""].flatMap { name in
            page.split(separator: name, omittingEmptySubsequences: false).dropFirst().compactMap {
                $0.split(separator: "\"", omittingEmptySubsequences: false).first.map(String.init)
            }
        }
    }

    @Test("All links lead to files and to headings that exist, and the same definitions give the same bytes")
    func linksResolve() throws {
        let files = try Self.files(Self.site())
        for name in [
            "index", "by-status", "by-owner", "by-letter", "experiments/short-checkout", "layers/checkout",
            "holdouts/h2-2026", "settings",
        ] {
            #expect(files[name + ".html"] != nil, "\(name)")
        }
        let warning = "hero-video.yaml:5:9"
        #expect(
            files["index.html"]?.contains("<a href=\"experiments/hero-video.html\">\(warning)</a>: the winner") == true)
        #expect(files["experiments/hero-video.html"]?.contains("<li>\(warning): the winner video") == true)
        #expect(files["style.css"]?.contains("prefers-color-scheme") == true)
        for (path, page) in files where path.hasSuffix(".html") {
            #expect(page.hasPrefix("<!DOCTYPE html>"), "\(path)")
            #expect(page.contains("<h1>"), "\(path)")
            #expect(page.found(["<script", "style=\"", "<form", "sort="]) == [], "\(path)")
            let base = try #require(URL(string: "file:///" + path))
            for reference in Self.references(page) {
                let url = try #require(URL(string: reference, relativeTo: base)?.absoluteURL)
                let target = try #require(files[String(url.path.dropFirst())], "\(path) links to \(reference)")
                if let fragment = url.fragment {
                    #expect(target.contains("id=\"\(fragment)\""), "\(path) links to \(reference)")
                }
            }
        }
        #expect(try Self.files(Self.site()) == files)
    }

    @Test("The front has names by layer; other indexes have all columns by status, owner and first letter")
    func indexes() throws {
        let catalog = try Catalog(files: [
            "base": "config_sections: { Shop: { settings: { Steps: { value: 3 } } } }", "layers": "checkout: {}",
            "ramp": "status: running\nowner: a b@example.com\nlayer: checkout\nslots: [0%..<50%]\n"
                + "variants: [{ key: a }, { key: b, overrides: { Shop: { Steps: 1 } } }]",
            "Idea": "status: draft\nvariants: [{ key: a }]", "item": "status: paused\nvariants: [{ key: a }]",
        ])
        let files = Self.files(CatalogSite(catalog))
        let front = try #require(files["index.html"])
        let texts = [
            #"<section id="layer-checkout">"#, #"<li><a href="experiments/ramp.html">ramp</a></li>"#,
            #"<li><a href="experiments/Idea.html">Idea</a> <span class="faint">draft</span></li>"#,
            #"<a href="index.html#layer-Without_20a_20layer"><bdi>Without a layer</bdi></a> 2"#,
            #"<a href="by-status.html#status-paused"><bdi>paused</bdi></a> 1"#,
            #"<a href="by-owner.html#owner-a_20b_40example.com"><bdi>a b@example.com</bdi></a> 1"#,
            #"<a href="by-letter.html#letter-I"><bdi>I</bdi></a> 2"#,
        ]
        #expect(front.missing(texts) == [])
        #expect(!front.contains("<table"))
        let owners = try #require(files["by-owner.html"])
        let places = ["<bdi>a b@example.com</bdi></h2>", "<bdi>Without an owner</bdi></h2>", ">item</a></th>"].map {
            owners.range(of: $0)?.lowerBound
        }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        #expect(owners.contains(#"<section id="owner-a_20b_40example.com">"#))
    }

    @Test("The page of an experiment with a period names its units, the present window and the next")
    func windows() throws {
        let catalog = try Catalog(files: [
            "base": "config_sections: {}",
            "routes": "status: running\nunit: [city, line]\nperiod: { every: 1h, from: 2026-11-21T00:00Z }\n"
                + "variants: [{ key: a }, { key: b }]",
        ])
        let page = try #require(Self.files(CatalogSite(catalog))["experiments/routes.html"])
        let texts = [
            "city|line, salt routes, anew every 1h from 2026-11-21T00:00Z",
            "<dt>Window</dt><dd>12, since 2026-11-21T12:00Z, the next begins at 2026-11-21T13:00Z (in 1 hour)</dd>",
            "who has a <code>city and line</code>", "one row for each unit and variant in each window",
        ]
        #expect(page.missing(texts) == [])
        #expect(page.found(["SQL: an outcome by variant"]) == [])
    }

    @Test("Pages have the history of their experiments, found in one walk")
    func history() throws {
        let repository = try TestRepository()
        let base = "config_sections: { Shop: { settings: { Steps: { value: 3 } } } }"
        func experiment(_ steps: Int) -> String {
            "status: running\nvariants: [{ key: a }, { key: b, overrides: { Shop: { Steps: \(steps) } } }]"
        }
        try repository.write(base, to: "Experiments/base.yaml")
        try repository.write(experiment(1), to: "Experiments/one.yaml")
        try repository.commit("Fewer <steps>", at: "2026-01-01T12:00:00Z")
        try repository.write("status: draft\nvariants: [{ key: a }]", to: "Experiments/two.yaml")
        try repository.commit("An idea", at: "2026-01-02T12:00:00Z")
        try repository.write(experiment(2), to: "Experiments/one.yaml")
        try repository.commit("One step more", at: "2026-01-03T12:00:00Z", by: "bob")
        let folder = repository.path + "/Experiments"
        let catalog = Catalog(try DefinitionsLoader(now: Catalog.now).load(folder: folder).plan, at: Catalog.now)
        var site = CatalogSite(catalog)
        #expect(try site.addHistory(from: .folder(folder), limits: DefinitionLimits()) == nil)
        let files = Self.files(site)
        let (one, two) = (try #require(files["experiments/one.html"]), try #require(files["experiments/two.html"]))
        let places = ["One step more", "bob", "Fewer &lt;steps&gt;", "ada"].map { one.range(of: $0)?.lowerBound }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        // The last change, as a report of blocks.
        #expect(
            one.missing([
                "<li>variant b: other overrides</li>", "<td class=\"text\">b → b</td><td>50%</td>",
                "<li>Shop.Steps: 1 → 2 for 50% (b → b)</li>",
            ]) == [])
        #expect(one.found(["An idea"]) == [])
        #expect(two.found(["An idea", "One step more"]) == ["An idea"])

        let elsewhere = try TemporaryFolder()
        let note = try site.addHistory(from: .folder(elsewhere.path), limits: DefinitionLimits())
        #expect(note?.contains("the pages have no history") == true)
    }
}
