/// One step of a statement: columns that are computed from the columns of earlier steps.
struct Stage {
    struct Column {
        let name: String
        /// One line or several. Later lines begin with the column's indentation.
        let expression: String
    }

    let name: String
    /// What the stage computes, for a comment.
    let comment: String
    private(set) var columns: [Column] = []

    init(_ name: String, _ comment: String) {
        self.name = name
        self.comment = comment
    }

    /// Adds a column, unless the stage has it.
    mutating func add(_ name: String, _ expression: String) {
        if let known = columns.first(where: { $0.name == name }) {
            precondition(known.expression == expression, "two columns of one name")
            return
        }
        columns.append(Column(name: name, expression: expression))
    }
}

/// The steps from a table's columns to buckets, filled as decisions need columns.
struct Stages {
    /// Attributes as text.
    var attributes = Stage("allot_attributes", "Unit IDs and attributes as text. What is empty is missing.")
    /// Attributes whose text has the grammar of a type.
    var readings = Stage(
        "allot_readings", "Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.")
    /// Hashes, and the parts of versions and of instants.
    var digests = Stage("allot_digests", "One SHA-256 of salt, \":\" and unit ID for each salt.")
    /// Buckets, and the sort keys of versions and of instants.
    var buckets = Stage(
        "allot_buckets", "Buckets: 40 bits of the hash, big-endian, times 1000000, shifted right by 40.")

    /// The stages that have columns.
    var used: [Stage] {
        [attributes, readings, digests, buckets].filter { !$0.columns.isEmpty }
    }
}
