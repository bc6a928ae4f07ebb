import Testing

@testable import AllotDefinitions

struct RepositoryFolderTests {
    @Test(
        "Files of the folder are named from the top of the repository, and no others",
        arguments: [
            ("Experiments", "shop/Experiments", "Experiments/a.yaml", "shop/Experiments/a.yaml"),
            ("./Experiments/", "shop/Experiments", "./Experiments/tests/a.yaml", "shop/Experiments/tests/a.yaml"),
            ("main:Experiments", "Experiments", "main:Experiments/a.yaml", "Experiments/a.yaml"),
            ("main:", "", "main:/a.yaml", "a.yaml"), (".", "", "./a.yaml", "a.yaml"),
            ("Experiments", "shop/Experiments", "Experiments", "shop/Experiments"),
            ("Experiments", "shop/Experiments", "Experiments2/a.yaml", "Experiments2/a.yaml"),
            ("./Experiments/", nil, "./Experiments/a.yaml", "Experiments/a.yaml"),
        ] as [(String, String?, String, String)])
    func paths(name: String, path: String?, file: String, expected: String) {
        #expect(RepositoryFolder(name, path: path).path(of: file) == expected)
    }
}
