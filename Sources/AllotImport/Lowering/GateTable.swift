import AllotConfiguration
import AllotCore

/// Draws that units have to pass before that of an experiment: each is an experiment with one variant that changes
/// nothing. Rules that pass the same draw share it. `Sendable`.
struct GateTable: Sendable {
    static let variant = "in"

    private var keys: [Conjunction.DrawPart: String] = [:]
    private(set) var gates: [(key: String, part: Conjunction.DrawPart)] = []

    /// The key of the gate for a draw, which is added if it does not exist yet.
    mutating func key(of part: Conjunction.DrawPart, names: inout NameTable) -> String {
        if let key = keys[part] { return key }
        let key = names.unique("in-\(part.draw.salt)")
        keys[part] = key
        gates.append((key, part))
        return key
    }

    /// Removes the gates that no experiment requires, because the flag that needed them is not imported.
    mutating func keep(_ used: Set<String>) {
        gates.removeAll { !used.contains($0.key) }
        keys = keys.filter { used.contains($1) }
    }
}
