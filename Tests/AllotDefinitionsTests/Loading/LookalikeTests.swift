import AllotDefinitions
import TestSupport
import Testing

/// Files and folders that are not read, and what is said of them.
struct LookalikeTests {
    private static let experiment = "# photos\nstatus: running\nvariants: [{ key: a }, { key: b }]\n"
    private static let base = "config_sections: { Shop: { settings: { Color: { value: red } } } }\n"
    private static let ending = "the file is not read, as its name does not end in .yaml, .yml or .json; rename it to "

    /// Files by name with their text, and the warning.
    private static let cases: [(files: Files, warning: String?)] = [
        (["photos.yaml.txt": experiment], "photos.yaml.txt: warning: \(ending)photos.yaml if it is a definition"),
        (["layers.yaml.txt": "main: {}"], "layers.yaml.txt: warning: \(ending)layers.yaml if it is a definition"),
        (["photos.yml.bak": experiment], "photos.yml.bak: warning: \(ending)photos.yml if it is a definition"),
        (["photos": experiment], "photos: warning: \(ending)photos.yaml if it is a definition"),
        (["photos.txt": experiment], "photos.txt: warning: \(ending)photos.yaml if it is a definition"),
        (["photos.ymal": experiment], "photos.ymal: warning: \(ending)photos.yaml if it is a definition"),
        (["base": base], "base: warning: \(ending)base.yaml if it is a definition"),
        (
            ["photos": #"{"status": "running", "variants": [{"key": "a"}]}"#],
            "photos: warning: \(ending)photos.yaml if it is a definition"
        ),
        (
            ["photos.YAML": experiment],
            "photos.YAML: warning: the file is not read, as its ending is not in lower case; rename it if it is a "
                + "definition"
        ),
        (
            ["shop/photos.yaml": experiment],
            "shop: warning: sub-folders are not read, and shop/photos.yaml looks like an experiment; move it one "
                + "folder up"
        ),
        // Copies, editors' files, and other files.
        (["e.yaml~": experiment, ".#e.yaml": experiment, "._e.yaml": experiment, "#e.yaml#": experiment], nil),
        (["e.yaml.bak": experiment, "e.yaml.orig": experiment, ".e.yaml.swp": experiment], nil),
        (["README": "status: running or not\nWords.", "users.csv": "status,variants\n", "Makefile": "all:\n"], nil),
        (["README.md": "# Experiments\n\n    status: running\n"], nil),
        (["tests/photos.yaml": experiment, ".git/photos.yaml": experiment], nil),
        (["games/base.yaml": base, "games/photos.yaml": experiment], nil),
        (["compose/a.yaml": "a: {}\n", "schema/e.json": #"{"$schema": "", "status": 1, "variants": 2}"#], nil),
    ]

    @Test("Files that look like definitions and are not read are warnings", arguments: cases.indices)
    func warnings(index: Int) throws {
        let (files, warning) = Self.cases[index]
        let folder = try TemporaryFolder(files + ["e.yaml": Self.experiment])
        #expect(DefinitionsLoader.fixed.lines(in: folder) == [warning].compactMap(\.self))
    }
}
