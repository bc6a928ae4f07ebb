import AllotConfiguration

extension ImportedProject {
    var conditions: [JSONValue] {
        flags.flatMap { $0.rules.flatMap(\.condition.conditions) } + segments.map(\.definition)
    }

    /// Notes, if conditions compare numbers, which texts Allot does not read as numbers.
    ///
    /// This is the one difference in the values of conditions that definitions cannot express.
    ///
    /// - Parameter forms: Examples of the texts that the other system reads as numbers.
    mutating func noteTextsOfNumbers(in system: String, forms: String) {
        let operators: Set = ["$eq", "$in", "$gt", "$gte", "$lt", "$lte"]
        let tests = conditions.lazy.flatMap { $0.objects() }.filter { $0["$type"] == nil }
        guard tests.contains(where: { $0.members.contains { operators.contains($0.key) && $0.value.hasNumber } }) else {
            return
        }
        notes.append(
            "\(system) also reads text like \(forms) as numbers. In Allot only text in the form of -2.5 or 1e3 "
                + "counts as a number.")
    }
}

extension JSONValue {
    fileprivate var hasNumber: Bool { asNumber != nil || asArray?.contains(where: \.hasNumber) ?? false }
}
