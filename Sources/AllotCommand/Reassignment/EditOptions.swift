import AllotAnalysis
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotReports
import ArgumentParser

/// The file that a command edits, and what became of it.
struct EditedFile {
    private let edit: DefinitionsEdit
    private let isChanged: Bool
    private let isWritten: Bool

    init(_ edit: DefinitionsEdit, write: Bool) throws {
        self.edit = edit
        isChanged = edit.newBytes != edit.oldBytes
        isWritten = write && isChanged
        if isWritten { try edit.write() }
    }

    var lines: [String] { UnifiedDifference(edit.oldBytes, edit.newBytes).changedLines }
    var state: String { !isChanged ? "stays as it is" : isWritten ? "written" : "not written yet; --write does it" }

    func add(to object: inout JSONObject) {
        object["file"] = .string(edit.path)
        object["text"] = .string(String(decoding: edit.newBytes, as: UTF8.self))
        object["changed"] = .boolean(isChanged)
        object["written"] = .boolean(isWritten)
    }
}

struct EditOptions: ParsableArguments {
    @Flag(help: .write) var write = false
    @OptionGroup var report: ReportOptions<AllForms>
    @OptionGroup var folder: FolderOptions
    @Option(help: .instant("The instant of evaluation"), transform: Instant.init(argument:)) var at: Instant?

    /// Edits the file of an experiment and prints what that does to units, and then the notes, for people and as
    /// members of the report for programs; writes it if asked.
    func run(
        _ key: String, _ edit: (Plan.Experiment, Instant) throws -> ExperimentEdit,
        notes: (Plan.Experiment, Plan, _ index: Int, Instant) -> (blocks: [Report.Block], json: JSONObject)
    ) throws {
        let instant = at ?? .now
        let editable = try EditableDefinitions(folder: folder.definitions, loader: folder.loader(at: instant))
        let old = editable.loaded.plan
        guard let index = try old.experimentIndices(of: [key])?.first else { return }
        let next = try editable.editing(key, edit(old.experiments[index], instant))
        let change = ReassignmentReport(from: old, to: next.loaded.plan, at: instant)
        let notes = notes(old.experiments[index], next.loaded.plan, index, instant)
        let file = try EditedFile(next.edit, write: write)
        var object = notes.json
        object["reassignment"] = change.json
        file.add(to: &object)
        var preview = change.report
        preview.blocks += notes.blocks
        let section = Report.Section(.name(next.edit.path), [.code(file.lines)])
        preview.add(.section(Report.Section("", [.section(section), .text(file.state)])))
        try report.write(preview, json: .object(object))
        if change.reassignsEnrolledUnits, !write { throw ExitCode.finding }
    }
}
