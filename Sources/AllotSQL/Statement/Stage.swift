/// One step of a statement: columns that are computed from those of the steps before.
struct Stage {
    struct Column {
        let name: String
        /// One line or several; later lines begin with the column's indent.
        let expression: String
    }

    let name: String
    /// What it does, in words.
    let comment: String
    private(set) var columns: [Column] = []

    init(_ name: String, _ comment: String) {
        self.name = name
        self.comment = comment
    }

    /// Adds a column, unless it is there.
    mutating func add(_ name: String, _ expression: String) {
        if let known = columns.first(where: { $0.name == name }) {
            precondition(known.expression == expression, "two columns of one name")
            return
        }
        columns.append(Column(name: name, expression: expression))
    }
}
