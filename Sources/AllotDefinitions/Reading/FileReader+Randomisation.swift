import AllotConfiguration
import AllotCore

extension FileReader {
    private static let randomisationKeys = ["criterion", "balance", "accept", "tries", "tried", "distance", "users"]

    /// How the salt of an experiment was chosen.
    mutating func randomisation(_ field: Field) -> ChosenRandomisation? {
        guard
            let fields = fields(
                field, of: "randomisation", form: "balance, accept, tried, distance and users",
                known: Self.randomisationKeys)
        else { return nil }
        for key in ["balance", "tried", "distance", "users"] where fields[key] == nil {
            error("\(key) is missing in randomisation; the members are those that allot salt writes", at: field)
        }
        _ = oneOf([ChosenRandomisation.criterion], fields, "criterion")
        let rule = chosenRule(fields, of: field)
        let balance = fields["balance"].flatMap { columns($0) }
        let tried = fields["tried"].flatMap { count($0, "tried") }
        let distance = fields["distance"].flatMap { number($0, "distance", "0 or more") { $0 >= 0 } }
        let users = fields["users"].flatMap { sha256($0) }
        guard let rule, let balance, let tried, let distance, let users else { return nil }
        return ChosenRandomisation(balance: balance, rule: rule, tried: tried, distance: distance, users: users)
    }

    private mutating func chosenRule(_ fields: Fields, of field: Field) -> ChosenRandomisation.Rule? {
        switch (fields["accept"], fields["tries"]) {
        case (let accept?, nil):
            return number(accept, "accept", "of at least 0.000001 and below 1, such as 0.01") {
                ChosenRandomisation.leastShare <= $0 && $0 < 1
            }.map { .accept($0) }
        case (nil, let tries?): return count(tries, "tries").map { .tries($0) }
        case (nil, nil):
            error("the rule of the choice is missing; write accept: 0.01 or tries: 100, whichever it was", at: field)
        case (_?, let tries?):
            error("a salt is chosen by accept or by tries; remove one of them", at: tries, atKey: true)
        }
        return nil
    }

    private mutating func columns(_ field: Field) -> [String]? {
        guard let elements = elements(field, of: "balance", form: "[orders, country]") else { return nil }
        if elements.isEmpty { error("balance is empty; list the columns that were balanced", at: field) }
        let columns = elements.compactMap { text($0, "a column") }
        return columns.count == elements.count && !columns.isEmpty ? columns : nil
    }

    private mutating func number(
        _ field: Field, _ what: String, _ range: String, if isValid: (Double) -> Bool
    ) -> Double? {
        if case .number(let digits) = field.node.content {
            let value = JSONNumber(unchecked: digits).double
            if value.isFinite, isValid(value) { return value }
            error("\(what) \(digits) is out of range; it is a number \(range)", at: field)
        } else {
            error("\(what) is \(field.node.described); write a number \(range)", at: field)
        }
        return nil
    }

    private mutating func count(_ field: Field, _ what: String) -> Int? {
        wholeNumber(field, what, in: 1...1_000_000_000, form: "write a whole number from 1 to 1000000000")
    }

    private mutating func sha256(_ field: Field) -> String? {
        guard let text = text(field, "users") else { return nil }
        if text.utf8.count == 64, text.utf8.allSatisfy("0123456789abcdef".utf8.contains) { return text }
        error("users \(QuotedText(text)) is not a SHA-256; it has 64 of the digits 0 to 9 and a to f", at: field)
        return nil
    }
}
