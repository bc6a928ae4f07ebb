import AllotConfiguration
import AllotCore
import AllotDefinitions

/// Reads one test file. All its faults are reported at once, with their places.
struct TestFileReader {
    let names: TestNames
    var reader: FileReader
    private(set) var cases: [TestCase] = []
    /// The instants of cases that name none.
    private var moments: TestCase.Moments?
    private var places: [UTF8Key: SourcePosition] = [:]

    static let keys = ["description", "at", "from", "until", "cases"]
    static let caseKeys = [
        "name", "description", "unit", "attributes", "has", "each", "at", "from", "until", "bucket", "slot", "holdout",
        "includes_forced", "expect", "settings", "shares", "exclusive",
    ]
    private static let claimKeys = ["expect", "settings", "shares", "exclusive"]

    init(_ bytes: [UInt8], file: String, names: TestNames, problems: inout [DefinitionProblem]) {
        self.names = names
        reader = FileReader(file: file)
        let tree = SourceTree(bytes, file: file, maximumBytes: reader.limits.fileBytes)
        problems += tree.problems
        guard let root = tree.root else { return }
        read(Field(root))
        problems += reader.problems.problems
    }

    private mutating func read(_ root: Field) {
        guard let fields = reader.fields(root, of: "a test file", form: "cases: [...]", known: Self.keys) else {
            return
        }
        _ = reader.text(fields, "description")
        moments = readMoments(fields)
        guard let list = fields["cases"] else {
            reader.error("the file has no cases; add a list under cases:", at: root)
            return
        }
        guard let elements = reader.elements(list, of: "cases", form: "- name: …") else { return }
        if elements.isEmpty { reader.error("the list of cases is empty; add a case or remove the file", at: list) }
        for element in elements { readCase(element) }
    }

    private mutating func readCase(_ field: Field) {
        let form = "{ name: …, unit: …, expect: { … } }"
        guard let fields = reader.fields(field, of: "a case", form: form, known: Self.caseKeys) else { return }
        _ = reader.text(fields, "description")
        let name = readName(fields, field)
        let ids = readUnit(fields)
        let each = readEach(fields, ids: ids)
        let isUnit = ids != nil || !(each?.units.isEmpty ?? true)
        let scope = readScope(fields, isUnit: isUnit)
        var moments = readMoments(fields)
        let hasMoments = ["at", "from", "until"].contains { fields[$0] != nil }
        if hasMoments, let each, !each.instants.isEmpty, let field = fields["each"] {
            reader.error("the instant is given twice, in each and next to it; keep one", at: field, atKey: true)
        }
        if !hasMoments { moments = self.moments }
        if moments == nil, !hasMoments, each?.instants.isEmpty ?? true {
            reader.error(
                "the case has no instant; add at: 2026-11-21T12:00:00Z, or from: and until:, to it or to the file",
                at: field)
        }
        let attributes = readAttributes(fields, ids: ids, each: each, has: scope.given)
        let claims = readClaims(fields, isUnit: isUnit)
        if !Self.claimKeys.contains(where: { fields[$0] != nil }) {
            reader.error("the case expects nothing; add expect, settings, shares or exclusive", at: field)
        }
        let variations = Each.variations(each ?? Each(), attributes: attributes, moments: moments)
        checkWindows(variations, claims, at: fields["until"] ?? field)
        guard let name else { return }
        cases.append(
            TestCase(
                name: name, place: .init(file: reader.file, position: field.position),
                scope: isUnit ? .unit : .everyUnit(scope), variations: variations, claims: claims))
    }

    /// Reports a span of time with more windows than a case goes through.
    private mutating func checkWindows(_ variations: [TestCase.Variation], _ claims: [Claim], at field: Field) {
        guard let variation = variations.first, case .during(let start, let end) = variation.moments else { return }
        let experiments = claims.flatMap { Statement.experiments(of: $0, in: names.plan) }
        let count = variation.moments.windowCount(names.plan, deciding: experiments)
        guard count > TestCase.windowLimit / Int64(variations.count) else { return }
        let all = variations.count > 1 ? " for each of \(variations.count) combinations" : ""
        reader.error(
            "there are \(count) windows from \(start) until \(end)\(all), and a case goes through "
                + "\(TestCase.windowLimit) at most; shorten the time, or name instants with at", at: field)
    }

    private mutating func readName(_ fields: Fields, _ root: Field) -> String? {
        guard let field = fields["name"] else {
            reader.error("the case has no name; add name: and say what holds", at: root)
            return nil
        }
        guard let name = reader.text(field, "name") else { return nil }
        if name.isEmpty { reader.error("the name is empty; say what holds", at: field) }
        if let first = places.updateValue(field.position, forKey: UTF8Key(name)) {
            reader.error(
                "the name \(QuotedText(name)) is given twice, also at line \(first.line); rename one of the two",
                at: field)
        }
        return name
    }

    /// The instants that a file or a case names. Returns `nil` if there are none, or if they are wrong.
    private mutating func readMoments(_ fields: Fields) -> TestCase.Moments? {
        let at = reader.instant(fields, "at")
        let (from, until) = (reader.instant(fields, "from"), reader.instant(fields, "until"))
        if let field = fields["at"], fields["from"] != nil || fields["until"] != nil {
            reader.error(
                "at and from or until exclude each other; keep the instant or the period", at: field, atKey: true)
            return nil
        }
        for (key, other) in [("from", "until"), ("until", "from")] {
            guard let field = fields[key], fields[other] == nil else { continue }
            reader.error("\(key) is given without \(other); add \(other): INSTANT", at: field, atKey: true)
        }
        if let from, let until {
            guard from < until else {
                if let field = fields["until"] {
                    reader.error("until \(until) is not after from \(from); the period is empty", at: field)
                }
                return nil
            }
            return .during(from, until)
        }
        return at.map(TestCase.Moments.at)
    }

    // MARK: Units

    private mutating func readScope(_ fields: Fields, isUnit: Bool) -> TestCase.UnitSet {
        var set = TestCase.UnitSet()
        set.pins = readPins(fields)
        if let field = fields["has"], let elements = reader.elements(field, of: "has", form: "[country]") {
            for element in elements {
                guard let name = reader.text(element, "an attribute's name") else { continue }
                names.checkAttribute(name, at: element, atKey: false, &reader)
                set.given.insert(UTF8Key(name))
            }
        }
        if let field = fields["includes_forced"] {
            if case .boolean(let flag) = field.node.content {
                set.includesForced = flag
            } else {
                reader.error("includes_forced is \(field.node.described); write true or false", at: field)
            }
        }
        if isUnit {
            for key in ["bucket", "slot", "holdout", "has", "includes_forced"] {
                guard let field = fields[key] else { continue }
                let cause =
                    key == "has" || key == "includes_forced"
                    ? "\(key) is about units without an ID" : "a unit ID decides its buckets"
                reader.error(
                    "\(key) and unit exclude each other, because \(cause); remove one of the two", at: field,
                    atKey: true)
            }
        }
        return set
    }

    /// The unit IDs by attribute, none for one subject without a unit. Returns `nil` for every unit.
    private mutating func readUnit(_ fields: Fields) -> JSONObject? {
        guard let field = fields["unit"] else { return nil }
        if let entries = field.entries {
            var ids: JSONObject = [:]
            for (name, value) in entries {
                names.checkAttribute(name, at: value, &reader)
                if let id = reader.text(value, "a unit ID") { ids[name] = .string(id) }
            }
            if entries.isEmpty { reader.error("unit is an empty map; write a unit ID", at: field) }
            return ids
        }
        guard let id = reader.text(field, "unit") else { return [:] }
        return id == "any" ? nil : Each.ids(of: id)
    }

    private mutating func readAttributes(_ fields: Fields, ids: JSONObject?, each: Each?, has: Set<UTF8Key>)
        -> JSONObject
    {
        var attributes = ids ?? [:]
        guard let field = fields["attributes"],
            let entries = reader.fields(field, of: "attributes", form: "{ country: DE }")
        else { return attributes }
        for (name, value) in entries.entries {
            names.checkAttribute(name, at: value, &reader)
            let isUnit = attributes[name] != nil || (name == Subject.defaultUnit && !(each?.units.isEmpty ?? true))
            if isUnit {
                reader.error(
                    "\(name) is given twice, as the unit and as an attribute; keep one", at: value, atKey: true)
            } else if has.contains(UTF8Key(name)) {
                reader.error("\(name) is in has and has a value too; keep the value", at: value, atKey: true)
            } else if each?.names.contains(UTF8Key(name)) ?? false {
                reader.error("\(name) is given twice, in attributes and in each; keep one", at: value, atKey: true)
            }
            attributes[name] = value.json
        }
        return attributes
    }

    // MARK: Products

    private mutating func readEach(_ fields: Fields, ids: JSONObject?) -> Each? {
        guard let field = fields["each"], let entries = reader.fields(field, of: "each", form: "{ country: [DE, US] }")
        else { return nil }
        var each = Each()
        for (name, value) in entries.entries {
            guard let elements = reader.elements(value, of: "a list of each", form: "[DE, US]") else { continue }
            if elements.isEmpty { reader.error("the list is empty, so the case would test nothing", at: value) }
            switch name {
            case "at": each.instants = elements.compactMap { reader.instant($0, nil) }
            case "unit":
                if ids != nil {
                    reader.error("the unit is given twice, in each and next to it; keep one", at: value, atKey: true)
                }
                each.units = elements.compactMap { reader.text($0, "a unit ID") }
            default:
                names.checkAttribute(name, at: value, &reader)
                if ids?[name] != nil {
                    reader.error("\(name) is given twice, as the unit and in each; keep one", at: value, atKey: true)
                }
                each.attributes.append((name, elements.map(\.json)))
            }
        }
        if !each.units.isEmpty, each.names.contains(UTF8Key(Subject.defaultUnit)) {
            reader.error("unit and user_id are the same; keep one of the two lists", at: field)
        }
        if each.count > Each.limit {
            reader.error("each has more than \(Each.limit) combinations; make several cases of it", at: field)
            return nil
        }
        return each
    }
}

/// Lists of values whose product a case goes through.
struct Each {
    var attributes: [(name: String, values: [JSONValue])] = []
    var instants: [Instant] = []
    var units: [String] = []
    static let limit = 10_000

    /// The IDs of a unit that is written as text: none for a subject without an ID.
    static func ids(of unit: String) -> JSONObject {
        unit == UnitContract.noUnit ? [:] : [Subject.defaultUnit: .string(unit)]
    }

    var names: Set<UTF8Key> { Set(attributes.map { UTF8Key($0.name) }) }

    var count: Int {
        (attributes.map(\.values.count) + [instants.count, units.count]).reduce(1) { product, count in
            product.multipliedReportingOverflow(by: max(count, 1)).overflow ? .max : product * max(count, 1)
        }
    }

    /// The product, in the order in which the lists are written.
    static func variations(_ each: Each, attributes: JSONObject, moments: TestCase.Moments?) -> [TestCase.Variation] {
        var choices: [(labels: [String], attributes: JSONObject)] = [([], attributes)]
        if !each.units.isEmpty {
            choices = each.units.map { unit in
                var attributes = attributes
                for member in ids(of: unit).members { attributes[member.key] = member.value }
                return (["unit=\(unit)"], attributes)
            }
        }
        for (name, values) in each.attributes {
            choices = choices.flatMap { choice in
                values.map { value in
                    var attributes = choice.attributes
                    attributes[name] = value
                    return (choice.labels + ["\(name)=\(value.plainText)"], attributes)
                }
            }
        }
        let instants = each.instants.map { (["at=\($0)"], TestCase.Moments.at($0)) }
        let times = instants.isEmpty ? moments.map { [([], $0)] } ?? [] : instants
        return choices.flatMap { choice in
            times.map { label, moments in
                TestCase.Variation(
                    label: (choice.labels + label).joined(separator: " "), attributes: choice.attributes,
                    moments: moments)
            }
        }
    }
}
