import AllotConfiguration
import AllotDefinitions
import AllotReports

enum WarningsSection {
    private static let shownCount = 100
    private static let openCount = 10
    /// The number of bytes of each that are shown: a definition that it quotes may be as long as its file.
    private static let shownBytes = 1000

    /// Writes the section, with links to the subjects of warnings; nothing if there are none.
    static func write(
        _ warnings: [DefinitionProblem], in page: inout Markup, link: (DefinitionProblem) -> String? = { _ in nil }
    ) {
        guard !warnings.isEmpty else { return }
        page.h2("Warnings", id: "warnings")
        let summary: Markup = "\(counted(warnings.count, "warning")), found when the definitions were loaded"
        page.details(summary, isOpen: warnings.count <= openCount) { details in
            details.list(
                warnings.prefix(shownCount).map { warning in
                    let text = warning.text.shortened(toBytes: shownBytes)
                    return "\(link: warning.placeInFolder, to: link(warning)): \(text)"
                } + (warnings.count > shownCount ? ["and \(warnings.count - shownCount) more"] : []))
        }
    }
}
