import Allot
import AllotDefinitions

/// What is allowed about a subject, but is probably not what was meant.
struct SubjectNotes {
    let lines: [String]

    /// - Parameter id: the unit ID of the command line, if there is one.
    init(id: String?, subject: Subject, plan: Plan) {
        let known = plan.attributes.names
        var lines: [String] = []
        if let id {
            let length = id.utf8.count
            if length == 0 {
                lines.append("the unit ID is empty, which is nobody's; is a variable unset?")
            } else if length > UnitID.maximumLength {
                lines.append("the unit ID has \(length) bytes; one of more than \(UnitID.maximumLength) is nobody's")
            } else if let equals = id.firstIndex(of: "="), known.contains(String(id[..<equals])) {
                lines.append("\"\(id)\" is taken as the unit ID; the unit ID comes first, then attributes")
            }
        }
        for name in subject.attributeNames where !known.contains(where: { $0 == name || $0.hasPrefix(name + ".") }) {
            guard let hint = NearestName.hint(for: name, among: known), !subject.attributeNames.contains(hint) else {
                continue
            }
            lines.append("no experiment looks at \"\(name)\"; did you mean \"\(hint)\"?")
        }
        self.lines = lines
    }
}
