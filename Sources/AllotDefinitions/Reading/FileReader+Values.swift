import AllotConfiguration
import AllotCore

extension FileReader {
    mutating func isName(_ text: String, _ what: String, at field: Field, atKey: Bool = false) -> Bool {
        if Salt.isValid(text) { return true }
        error("\(what) \(QuotedText(text)) is not valid; use \(Salt.form)", at: field, atKey: atKey)
        return false
    }

    mutating func salt(_ fields: Fields, default name: String) -> Salt? {
        guard let field = fields["salt"] else { return Salt(name) }
        return self.name(field, "salt").flatMap { Salt($0) }
    }

    /// Reads `unit`: the name of an attribute, or of several whose values are joined to the unit ID.
    mutating func unit(_ fields: Fields) -> String {
        guard let field = fields["unit"] else { return Subject.defaultUnit }
        guard let elements = field.elements else { return unit(field, "unit") ?? Subject.defaultUnit }
        var names: [String] = []
        for element in elements {
            guard let name = unit(element, "an attribute of the unit") else { return Subject.defaultUnit }
            if names.contains(where: { UTF8Order.areEqual($0, name) }) {
                error("the unit names \(QuotedText(name)) twice; name each attribute once", at: element)
                return Subject.defaultUnit
            }
            names.append(name)
        }
        guard (1...CompositeUnit.mostParts).contains(names.count) else {
            error(
                names.isEmpty
                    ? "unit is an empty list; name the attributes that hold the unit ID"
                    : "the unit has \(names.count) attributes, and at most \(CompositeUnit.mostParts) are joined to a "
                        + "unit ID; name fewer", at: field)
            return Subject.defaultUnit
        }
        return CompositeUnit.join(names)
    }

    /// The name of an attribute that holds a unit ID, or a part of one. Returns `nil`, with an error, if it is not a
    /// text.
    private mutating func unit(_ field: Field, _ what: String) -> String? {
        guard let unit = text(field, what) else { return nil }
        if unit.isEmpty { error("\(what) is empty; name the attribute that holds the unit ID", at: field) }
        if CompositeUnit.isName(unit) {
            let parts = unit.split(separator: "|").map { $0.filter { $0 != " " } }
            error(
                "\(what) \(QuotedText(unit)) contains \"|\", which joins the attributes of a unit; if several are "
                    + "meant, write unit: [\(parts.joined(separator: ", "))], or else rename the attribute", at: field)
            return nil
        }
        if unit == UnitContract.noUnit {
            error(
                "none stands for no unit in experiments, so that an attribute of this name cannot hold unit IDs; "
                    + "name the attribute that holds the unit ID", at: field)
        } else if unit.lowercased() == UnitContract.noUnit {
            warning("\(unit) is the name of an attribute here; an experiment without a unit has unit: none", at: field)
        }
        if let doubt = DoubtfulText.edgeDoubt(unit) { warning(doubt, at: field) }
        return unit
    }

    package mutating func percentage(_ field: Field, _ what: String) -> Int? {
        switch field.node.content {
        case .text(let text):
            if let buckets = Percentage.parse(text) { return buckets }
            error("\(what) \(QuotedText(text)) is not a percentage; \(Percentage.fix(for: text))", at: field)
        case .number(let digits): error("\(what) is the number \(digits); \(Percentage.fix(for: digits))", at: field)
        default: error("\(what) is \(field.node.described); \(Percentage.form)", at: field)
        }
        return nil
    }

    package mutating func instant(_ fields: Fields, _ key: String) -> Instant? {
        fields[key].flatMap { instant($0, key) }
    }

    /// An instant of a key, or of a list's element; `nil` (and an error) for anything else.
    package mutating func instant(_ field: Field, _ key: String?) -> Instant? {
        guard let text = text(field, key ?? "an instant", form: Instant.form) else { return nil }
        if let instant = Instant(text) { return instant }
        error("\(key.map { "\($0) " } ?? "")\(QuotedText(text)) \(Instant.fault(of: text))", at: field)
        return nil
    }

    /// The ranges of a list, in the order in which they were written; one range may stand without a list.
    mutating func ranges(
        _ field: Field, _ what: String, of scale: BucketScale = .own, allowsNone: Bool = false
    ) -> [(range: Range<Int>, field: Field)]? {
        let isOne = if case .text = field.node.content { true } else { false }
        guard let elements = isOne ? [field] : elements(field, of: what, form: "[0%..<50%]") else { return nil }
        if elements.isEmpty, !allowsNone {
            error("\(what) is empty; list at least one range such as 0%..<50%", at: field)
            return nil
        }
        var ranges: [(range: Range<Int>, field: Field)] = []
        for element in elements {
            guard let text = text(element, "a range", form: scale.rangeForm) else { continue }
            if let range = BucketRange.parse(text, of: scale) {
                ranges.append((range, element))
            } else {
                let fix = Self.fix(forRange: text) ?? "\(scale.rangeForm)\(scale.rangeEnd)"
                error("\(QuotedText(text)) is not a range; \(fix)", at: element)
            }
        }
        guard ranges.count == elements.count else { return nil }
        if scale == .own { reportSmall(ranges, what) }
        return ranges
    }

    /// The fix for a range of fractions, `0..<0.5`: both readings in percent. Returns `nil` for other text.
    private static func fix(forRange text: String) -> String? {
        let bounds = text.split(separator: "..<", omittingEmptySubsequences: false).compactMap {
            JSONNumber(String($0))
        }
        let ofOne = bounds.compactMap { $0.decimal.scaled(byPowerOfTen: 6, limit: UInt64(Bucketing.bucketCount)) }
        guard bounds.count == 2, ofOne.count == 2, ofOne[0] < ofOne[1] else { return nil }
        let shares = BucketRange.percentText(Int(ofOne[0])..<Int(ofOne[1]))
        return "write \(shares) or \(bounds[0].text)%..<\(bounds[1].text)%, whichever is meant"
    }

    /// Warns about ranges in buckets none of which reaches beyond 100: they were probably meant in percent.
    private mutating func reportSmall(_ ranges: [(range: Range<Int>, field: Field)], _ what: String) {
        guard let first = ranges.first, ranges.allSatisfy({ $0.range.upperBound <= 100 }) else { return }
        let share = Percentage.text(ofBuckets: BucketSet(ranges.map(\.range)).count)
        let (start, end) = (first.range.lowerBound, first.range.upperBound)
        warning(
            "\(what) are \(share) of all, as \(Self.written(first.field)) is in buckets of a millionth; write "
                + "\(start)%..<\(end)% if percent is meant", at: first.field)
    }

    typealias OwnedRange = (range: Range<Int>, field: Field, owner: String?)

    /// Reports each range that overlaps an earlier one. Complexity: O(*n* log *n*).
    mutating func checkOverlaps(_ ranges: [OwnedRange]) {
        let sorted = ranges.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        var widest: (offset: Int, element: OwnedRange)?
        for entry in sorted {
            if let other = widest, entry.element.range.lowerBound < other.element.range.upperBound {
                let (first, second) = other.offset < entry.offset ? (other, entry) : (entry, other)
                reportOverlap(of: second.element, with: first.element)
            }
            if entry.element.range.upperBound > widest?.element.range.upperBound ?? -1 { widest = entry }
        }
    }

    private mutating func reportOverlap(of second: OwnedRange, with first: OwnedRange) {
        let owner = first.owner.map { $0 == second.owner ? "" : " of \($0)" } ?? ""
        let line = first.field.position.line
        let place = line == second.field.position.line ? "" : " at line \(line)"
        let rule = first.owner == second.owner ? "list each bucket once" : "a bucket belongs to one variant at most"
        error(
            "\(Self.written(second.field)) overlaps \(Self.written(first.field))\(owner)\(place); \(rule)",
            at: second.field)
    }

    private static func written(_ field: Field) -> String {
        if case .text(let text) = field.node.content { text } else { "" }
    }

    mutating func weight(_ field: Field) -> UInt64? {
        guard case .number(let digits) = field.node.content else {
            let fix =
                if case .text(let text) = field.node.content, let number = Self.weightReading(of: text) {
                    "write \(number)\(number == text ? ", without quotes" : "")"
                } else { "a weight is a number such as 1 or 0.25, without quotes" }
            error("weight is \(field.node.described); \(fix)", at: field)
            return nil
        }
        let value = JSONNumber(unchecked: digits).decimal
        if value.isNegative {
            error("weight \(digits) is negative; a weight is 0 or more", at: field)
        } else if value.fractionDigitCount > 6 {
            error("weight \(digits) has more than 6 decimals; round it, or scale all weights up", at: field)
        } else if let millionths = value.scaled(byPowerOfTen: 6, limit: Weights.maximumMillionths) {
            return millionths
        } else {
            error("weight \(digits) is too large; a weight is at most 1000000000000", at: field)
        }
        return nil
    }

    /// The weight that a text probably stands for: 50 for `50%` and for `"50"`.
    private static func weightReading(of text: String) -> String? {
        var digits = text.filter { $0 != " " }
        if digits.hasSuffix("%") { digits.removeLast() }
        if digits.hasPrefix(".") { digits = "0" + digits }
        guard let number = JSONNumber(digits)?.decimal, !number.isNegative, number.fractionDigitCount <= 6 else {
            return nil
        }
        return digits
    }

    /// Warns of texts without quotes in a setting's value that read as a boolean, null or number elsewhere, and of
    /// values that are left out.
    mutating func checkWords(in value: Field) {
        if value.node.style == .leftOut {
            warning(DoubtfulText.leftOutDoubt, at: value)
        } else if case .text(let text) = value.node.content {
            guard value.node.style == .plain, let doubt = DoubtfulText.settingDoubt(text) else { return }
            warning(doubt, at: value)
        } else if value.node.hasDoubtfulStyle {
            let elements = value.elements ?? []
            for index in DoubtfulText.words(among: elements) { checkWords(in: elements[index]) }
            for element in elements where element.elements != nil || element.entries != nil { checkWords(in: element) }
            for member in value.entries ?? [] { checkWords(in: member.value) }
        }
    }

    mutating func condition(_ field: Field, segments: SegmentTable, definedIn file: String) -> Condition? {
        // Most have no problem, and without places a condition is read several times as fast.
        let plain = ConditionParser.parse(field.node.json, segments: segments)
        if plain.problems.isEmpty, !field.node.hasDoubtfulStyle { return plain.condition }
        let (condition, problems) = ConditionParser.parse(node: field, segments: segments)
        var hints: [String: (known: [String], hint: String)] = [:]
        for problem in problems {
            // Finding a hint takes time, and a full list drops it.
            if self.problems.isFull(of: problem.isWarning ? .warning : .error) { continue }
            var message = problem.message
            if let unknown = problem.unknownName {
                // The known names are one array for all segments, and another one for all groups.
                let made = hints[message].flatMap { $0.known == unknown.known ? $0.hint : nil }
                let hint = made ?? Self.hint(unknown, after: message, definedIn: file)
                hints[message] = (unknown.known, hint)
                message += hint
            }
            if problem.isWarning {
                warning(message, at: problem.node, atKey: problem.isAboutKey)
            } else {
                error(message, at: problem.node, atKey: problem.isAboutKey)
            }
        }
        return condition
    }

    /// The nearest known name, or the known names if the message does not list them itself.
    private static func hint(
        _ unknown: (name: String, known: [String]), after message: String, definedIn file: String
    ) -> String {
        if let nearest = NearestName.hint(for: unknown.name, among: unknown.known) {
            return "; did you mean \(QuotedText(nearest))?"
        }
        // Only of segments may no name at all be known.
        if unknown.known.isEmpty { return "; define it in \(file)" }
        if message.contains(";") { return "" }
        return "; " + hint(unknown.name, unknown.known.sorted(by: UTF8Order.precedes), what: "the known names are")
    }
}
