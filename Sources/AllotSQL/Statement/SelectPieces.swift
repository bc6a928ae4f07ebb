/// Keeps an engine from compiling the columns of one `SELECT` as one piece that is too long to run fast.
struct SelectPieces {
    let syntax: any SQLSyntax
    /// The columns of earlier stages.
    let earlier: [String]

    /// The least number of expressions for which it is worth the time that it takes.
    private static let leastCount = 4

    /// The expressions of the columns, one of them with what the engine needs.
    ///
    /// - Parameter partCount: how many expressions the columns are made of, if some of them are lists.
    func applied(to expressions: [String], partCount: Int? = nil) -> [String] {
        guard partCount ?? expressions.count >= Self.leastCount else { return expressions }
        var expressions = expressions
        for index in expressions.indices {
            let words = InternalNames.mentioned(in: expressions[index])
            guard let column = earlier.first(where: words.contains) else { continue }
            if let inPieces = syntax.inPieces(expressions[index], column) { expressions[index] = inPieces }
            break
        }
        return expressions
    }
}
