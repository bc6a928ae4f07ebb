import AllotConfiguration
import TestSupport

/// An edit of a folder that a person could make.
struct PlausibleEdit: Sendable {
    let title: String
    /// The files that it changes; `nil` if there is no place for it.
    let make: @Sendable (EditableFolder, inout SeededGenerator) -> [String: JSONValue]?
}

extension PlausibleEdit {
    /// An edit of a test: the members that take its place.
    init(
        _ title: String,
        _ edit: @escaping @Sendable (EditableFolder.Site, inout SeededGenerator) -> [(String, JSONValue)]?
    ) {
        self.init(title: title) { folder, generator in
            for site in folder.sites.shuffled(using: &generator) {
                if let members = edit(site, &generator) { return folder.replacing(site, with: members) }
            }
            return nil
        }
    }

    /// An edit of the operand of some operators: the value in place of the test.
    init(
        _ title: String, of operators: [String],
        _ edit: @escaping @Sendable (String, JSONValue, inout SeededGenerator) -> JSONValue?
    ) {
        self.init(title) { site, generator in
            for (name, operand) in site.tests where operators.contains(name) {
                if let value = edit(name, operand, &generator) { return [(site.name, value)] }
            }
            return nil
        }
    }

    /// An edit of the value of a setting of a type.
    init(
        _ title: String, settingsOf type: String,
        _ edit: @escaping @Sendable (JSONValue, inout SeededGenerator) -> JSONValue
    ) {
        self.init(title: title) { folder, generator in
            folder.settings.filter { $0.value.typeName == type }.randomElement(using: &generator).map {
                folder.setting($0.file, $0.path, edit($0.value, &generator))
            }
        }
    }
}

private let lists = ["$in", "$nin"]
private let versions = ["$vgte", "$vgt", "$vlte", "$vlt"]
private let orders = ["$gte", "$gt", "$lte", "$lt"]
private let instants = ["$before", "$after"]
private let texts = ["$eq", "$ne"]
private let signs = ["gte": ">=", "gt": ">", "lte": "<=", "lt": "<", "before": "<", "after": ">"]

private func object(_ name: String, _ value: JSONValue) -> JSONValue {
    .object(JSONObject([(key: name, value: value)]))
}

extension JSONValue {
    fileprivate var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    /// The value as people write it without quotes.
    fileprivate var plain: String { text ?? canonicalText }
    fileprivate var isFlag: Bool { if case .boolean = self { true } else { false } }
}

extension PlausibleEdit {
    /// Texts of people who mean a condition, which do something else or nothing.
    static let mistakes: [PlausibleEdit] = [
        // Operators.
        PlausibleEdit("an operator without $") { site, _ in
            site.value.object.map { _ in
                let members = site.tests.map { (key: String($0.name.dropFirst()), value: $0.operand) }
                return [(site.name, .object(JSONObject(members)))]
            }
        },
        PlausibleEdit("a misspelt operator") { site, generator in
            guard site.value.object != nil, let test = site.tests.randomElement(using: &generator) else { return nil }
            var letters = Array(test.name.dropFirst())
            let place = Int.random(in: 0..<letters.count, using: &generator)
            letters.insert(letters[place], at: place)
            return [(site.name, object("$" + String(letters), test.operand))]
        },
        PlausibleEdit("an operator in capitals") { site, _ in
            site.value.object.map { _ in [(site.name, object(site.tests[0].name.uppercased(), site.tests[0].operand))] }
        },
        PlausibleEdit("an operator above its attribute") { site, _ in
            [(site.tests[0].name, object(site.name, site.tests[0].operand))]
        },
        PlausibleEdit("a test one level too deep") { site, generator in
            let level = ["value", "id", "current"].randomElement(using: &generator) ?? ""
            return [(site.name, object(level, object(site.tests[0].name, site.tests[0].operand)))]
        },
        PlausibleEdit("an attribute as an object") { site, _ in
            site.tests[0].name == "$eq" ? [(site.name, object("code", site.value))] : nil
        },
        PlausibleEdit("a connective without $") { site, generator in
            let name = ["or", "and", "nor"].randomElement(using: &generator) ?? ""
            return [(name, [object(site.name, site.value)])]
        },
        PlausibleEdit("not without $") { site, _ in [("not", object(site.name, site.value))] },
        PlausibleEdit("not below the attribute, without $") { site, _ in [(site.name, object("not", site.value))] },
        PlausibleEdit("a connective with a map") { site, generator in
            [(["$or", "$and"].randomElement(using: &generator) ?? "", object(site.name, site.value))]
        },
        PlausibleEdit("a connective below the attribute") { site, _ in [(site.name, object("$or", [site.value]))] },
        // Lists.
        PlausibleEdit("a list without $in", of: lists) { _, operand, _ in operand },
        PlausibleEdit("a list with $eq", of: lists) { name, operand, _ in
            object(name == "$in" ? "$eq" : "$ne", operand)
        },
        PlausibleEdit("a list in one text", of: lists) { name, operand, generator in
            guard let elements = operand.elements, elements.count > 1 else { return nil }
            let separator = [", ", ",", "; ", "|"].randomElement(using: &generator) ?? ""
            let text = JSONValue.string(elements.map(\.plain).joined(separator: separator))
            return Bool.random(using: &generator) ? object(name, [text]) : text
        },
        PlausibleEdit("a list in quotes", of: lists) { _, operand, _ in
            (operand.elements?.count ?? 0) > 1 ? .string(operand.canonicalText) : nil
        },
        PlausibleEdit("a text for a list", of: lists) { name, operand, _ in operand.elements.map { object(name, $0[0]) }
        },
        PlausibleEdit("a list in a list", of: lists) { name, operand, _ in object(name, [operand]) },
        PlausibleEdit("an empty list", of: lists) { name, _, _ in object(name, []) },
        PlausibleEdit("$all for $in", of: ["$in"]) { _, operand, _ in
            object("$all", operand)
        },
        // Comparisons.
        PlausibleEdit("a comparison in text", of: versions + orders + instants) { name, operand, generator in
            let word = String(name.dropFirst().drop { $0 == "v" })
            let space = Bool.random(using: &generator) ? " " : ""
            return (signs[word]).map { .string("\($0)\(space)\(operand.plain)") }
        },
        PlausibleEdit("a comparison in the operand", of: versions + orders) { name, operand, _ in
            object(name, .string(">= \(operand.plain)"))
        },
        PlausibleEdit("an inequality in text", of: texts + lists) { _, operand, generator in
            let value = operand.elements?.first ?? operand
            return value.text.map { .string((["!=", "!= ", "!", "<>"].randomElement(using: &generator) ?? "") + $0) }
        },
        PlausibleEdit("an equality in text", of: texts + lists) { _, operand, _ in
            (operand.elements?.first ?? operand).text.map { .string("=" + $0) }
        },
        // Numbers, versions, instants.
        PlausibleEdit("the order of texts for versions", of: versions) { name, operand, _ in
            object("$" + name.dropFirst(2), .string(operand.plain))
        },
        PlausibleEdit("the order of numbers for versions", of: versions) { name, operand, _ in
            let parts = operand.plain.split(separator: ".").prefix(2).joined(separator: ".")
            return JSONNumber(parts).map { object("$" + name.dropFirst(2), .number($0)) }
        },
        PlausibleEdit("a number for a version", of: versions) { _, operand, _ in
            JSONNumber(operand.plain.split(separator: ".").prefix(2).joined(separator: ".")).map { .number($0) }
        },
        PlausibleEdit("a number in quotes", of: orders) { name, operand, _ in object(name, .string(operand.plain)) },
        PlausibleEdit("a number with separators", of: orders) { name, _, generator in
            object(name, EditableFolder.raw(["1_000", ".5", "\"1,000\""].randomElement(using: &generator) ?? ""))
        },
        PlausibleEdit("the order of texts for instants", of: instants) { name, operand, _ in
            object(name == "$before" ? "$lt" : "$gte", operand)
        },
        PlausibleEdit("a date for an instant", of: instants) { name, operand, _ in
            object(name, .string(String(operand.plain.prefix(10))))
        },
        PlausibleEdit("a number for an instant", of: instants) { name, _, _ in object(name, 1_788_220_800) },
        PlausibleEdit("a whole number that is not exact") { site, generator in
            guard site.name == "user_id" else { return nil }
            let digits = ["10155555555555551", "1234567890123456789", "-9007199254740993", "1e17"]
            let id = EditableFolder.raw(digits.randomElement(using: &generator) ?? "")
            return [(site.name, Bool.random(using: &generator) ? id : object("$in", [id]))]
        },
        // Words.
        PlausibleEdit("a word of YAML for a boolean", of: texts) { name, operand, generator in
            let words = ["yes", "no", "True", "False", "on", "off", "TRUE", "Yes", "No"]
            guard operand.isFlag else { return nil }
            return object(name, EditableFolder.raw(words.randomElement(using: &generator) ?? ""))
        },
        PlausibleEdit("a boolean in quotes", of: texts) { name, operand, _ in
            operand.isFlag ? object(name, .string(operand.canonicalText)) : nil
        },
        PlausibleEdit("a word for null", of: texts) { name, _, generator in
            object(name, EditableFolder.raw(["None", "Null", "NULL", "nil"].randomElement(using: &generator) ?? ""))
        },
        PlausibleEdit("a value left out") { site, _ in [(site.name, EditableFolder.raw(""))] },
        PlausibleEdit("a word for the operand of $exists") { site, generator in
            let word = ["yes", "\"true\"", "True", "1"].randomElement(using: &generator) ?? ""
            return [(site.name, object("$exists", EditableFolder.raw(word)))]
        },
        // Texts.
        PlausibleEdit("a pattern in text", of: texts + ["$startsWith"]) { _, operand, generator in
            guard let text = operand.text else { return nil }
            return .string((["\(text)*", "*\(text)", "%\(text)%", "^\(text)"].randomElement(using: &generator)) ?? "")
        },
        PlausibleEdit("an invalid pattern", of: texts + ["$startsWith"]) { _, operand, _ in
            operand.text.map { object("$regex", .string("*\($0)")) }
        },
        PlausibleEdit("a text of nothing", of: texts + ["$startsWith"]) { _, _, generator in
            object(["$startsWith", "$contains", "$endsWith"].randomElement(using: &generator) ?? "", "")
        },
        PlausibleEdit("a space after the text", of: texts + lists) { _, operand, _ in
            (operand.elements?.first ?? operand).text.map { .string($0 + " ") }
        },
        // Names.
        PlausibleEdit("an attribute in other letters") { site, generator in
            guard site.isUsedElsewhere else { return nil }
            let words = site.name.split(separator: "_").map(String.init)
            let camel = words[0] + words.dropFirst().map(\.capitalized).joined()
            let forms = [site.name.capitalized, site.name.uppercased(), camel, words.joined(separator: "-")]
            return forms.filter { $0 != site.name }.randomElement(using: &generator).map { [($0, site.value)] }
        },
        PlausibleEdit("OpenFeature's targeting key") { site, _ in
            site.name == "user_id" ? [("targetingKey", site.value)] : nil
        },
        PlausibleEdit("a misspelt group", of: ["$inGroup", "$notInGroup"]) { name, operand, _ in
            object(name, .string(String(operand.plain.dropLast())))
        },
        PlausibleEdit("a group as a list", of: ["$inGroup", "$notInGroup"]) { _, operand, _ in object("$in", operand) },
        PlausibleEdit(title: "a segment without $") { folder, generator in
            let names = folder.files.filter { $0.value.object?["audience"]?.object?["$segment"] != nil }.keys.sorted()
            guard let file = names.randomElement(using: &generator),
                var audience = folder.files[file]?.object?["audience"]?.object, let name = audience["$segment"]
            else { return nil }
            audience["$segment"] = nil
            audience["segment"] = name
            return folder.setting(file, ["audience"], .object(audience))
        },
        PlausibleEdit("a key of the experiment in the condition") { site, generator in
            let keys: [(String, JSONValue)] = [
                ("traffic", "50%"), ("starts", "2026-12-01T00:00:00Z"), ("slots", ["0%..<50%"]),
                ("forced", ["user-1": "control"]), ("description", "Users of the new app"),
            ]
            return [(site.name, site.value)] + (keys.randomElement(using: &generator).map { [$0] } ?? [])
        },
        // Groups and forced units.
        PlausibleEdit(title: "a group in one text") { folder, _ in group(of: folder, ["user-001, user-002"]) },
        PlausibleEdit(title: "a group with a number that is not exact") { folder, _ in
            group(of: folder, [EditableFolder.raw("10155555555555551"), "user-1"])
        },
        PlausibleEdit(title: "a forced unit whose number is not exact") { folder, generator in
            let names = folder.files.filter { $0.value.object?["forced"] != nil }.keys.sorted()
            guard let file = names.randomElement(using: &generator),
                let forced = folder.files[file]?.object?["forced"]?.object?.members.first
            else { return nil }
            return folder.setting(file, ["forced"], EditableFolder.raw("{ 10155555555555551: \(forced.value.plain) }"))
        },
        // Settings.
        PlausibleEdit("a word of YAML for a setting", settingsOf: "boolean") { _, generator in
            EditableFolder.raw(["True", "False", "yes", "off", "On"].randomElement(using: &generator) ?? "")
        },
        PlausibleEdit("a word for null in a setting", settingsOf: "null") { _, generator in
            EditableFolder.raw(["None", "Null", "nil"].randomElement(using: &generator) ?? "")
        },
        PlausibleEdit("a number of YAML for a setting", settingsOf: "number") { _, generator in
            EditableFolder.raw([".5", "1_000", "\"1.5\""].randomElement(using: &generator) ?? "")
        },
    ]

    private static func group(of folder: EditableFolder, _ members: JSONValue) -> [String: JSONValue]? {
        let groups = folder.files["segments.yaml"]?.object?.members.filter { $0.value.elements != nil } ?? []
        return groups.first.map { folder.setting("segments.yaml", [$0.key], members) }
    }

    /// Texts of people who know what they do.
    static let rightEdits: [PlausibleEdit] = [
        PlausibleEdit("another value in a list", of: lists) { name, operand, generator in
            let more: [JSONValue] = ["CH", EditableFolder.raw("NO"), "Washington, DC", "<18", "n/a", "new value", 7]
            return operand.elements.map { object(name, .array($0 + [more.randomElement(using: &generator) ?? "x"])) }
        },
        PlausibleEdit("a list of one", of: lists) { name, operand, _ in operand.elements.map { object(name, [$0[0]]) }
        },
        PlausibleEdit("the opposite list", of: lists) { name, operand, _ in
            object(name == "$in" ? "$nin" : "$in", operand)
        },
        PlausibleEdit("one value of a list", of: lists) { _, operand, _ in operand.elements?.first },
        PlausibleEdit("a written equality", of: ["$eq"]) { name, operand, _ in object(name, operand) },
        PlausibleEdit("another number", of: orders) { name, _, generator in
            object(name, [3, 2.5, 0, -1, 9_007_199_254_740_991].randomElement(using: &generator) ?? 1)
        },
        PlausibleEdit("another version", of: versions) { name, _, generator in
            let versions: [JSONValue] = ["4.2.0", 4.10, 5, "v3.1", "4.0.0-beta.1", EditableFolder.raw("2.11.3")]
            return object(name, versions.randomElement(using: &generator) ?? "")
        },
        PlausibleEdit("another instant", of: instants) { name, _, generator in
            let texts = ["2026-12-01T00:00:00Z", "2026-12-01T01:30:00+01:00", "2026-12-01T00:00:00.250Z"]
            return object(name, EditableFolder.raw(texts.randomElement(using: &generator) ?? ""))
        },
        PlausibleEdit("another boolean", of: texts) { name, operand, generator in
            operand.isFlag ? object(name, .boolean(Bool.random(using: &generator))) : nil
        },
        PlausibleEdit("a given attribute as well") { site, _ in
            let tests = site.tests.map { (key: $0.name, value: $0.operand) } + [(key: "$exists", value: true)]
            return [(site.name, .object(JSONObject(tests)))]
        },
        PlausibleEdit("a negation") { site, _ in [(site.name, object("$not", site.value))] },
        PlausibleEdit("alternatives") { site, _ in
            [("$or", [object(site.name, site.value), object(site.name, object("$exists", false))])]
        },
        PlausibleEdit("all of") { site, _ in [("$and", [object(site.name, site.value)])] },
        PlausibleEdit("another attribute") { site, generator in
            let tests: [(String, JSONValue)] = [
                ("language", EditableFolder.raw("no")), ("shipping_country", EditableFolder.raw("NO")),
                ("age_group", ["$in": ["<18", "18-24", "25+"]]), ("town", "Washington, DC"), ("address.city", "Bonn"),
                ("browser_version", ["$vlt": 120]), ("score", ["$gte": 0.25, "$lt": 0.5]), ("is_new", true),
                ("referrer", ["$contains": ["example.com", "example.org"]]), ("left_at", .null),
                ("tags", ["$all": ["sale"], "$size": ["$gt": 1]]), ("roles", ["$elemMatch": ["$eq": "admin"]]),
                ("name", ["$regex": "^test-[0-9]+$"]), ("initial", ["$gte": "A", "$lt": "N"]), ("size", 38),
                ("ip", ["$inNetwork": "10.0.0.0/8"]), ("coupon", EditableFolder.raw("007")),
                ("slot", EditableFolder.raw("12:30")), ("plan_name", EditableFolder.raw("none")), ("type", "phone"),
                ("first_seen", ["$after": ["instant": "2026-11-01T00:00:00Z", "epoch": "seconds"]]),
                ("day", ["$gte": "2026-11-01"]), ("account_id", "10155555555555551"), ("grade", "A*"),
                ("segment", "vip"), ("traffic", "organic"), ("status", "active"), ("starts", 3),
                ("schema_version", ["$gte": 3]), ("discount", "50%"), ("title", "<none>"),
                ("note", "not set"), ("station", "NEW YORK"), ("band", "18-25"), ("letter", EditableFolder.raw("y")),
                ("path", ["$regex": "^/shop/"]), ("term", ["$contains": "*"]),
            ]
            return [(site.name, site.value)] + (tests.randomElement(using: &generator).map { [$0] } ?? [])
        },
        PlausibleEdit("the start of a text", of: texts) { _, operand, _ in
            operand.text.map { object("$startsWith", .string($0)) }
        },
        PlausibleEdit(title: "another member of a group") { folder, generator in
            let more: [JSONValue] = ["10155555555555551", "user-9", 1001, EditableFolder.raw("abc"), "Doe, Jane"]
            return group(of: folder, ["user-001", more.randomElement(using: &generator) ?? ""])
        },
        PlausibleEdit("another text of a setting", settingsOf: "string") { value, generator in
            ([value, value] + ["Buy now, pay later", "Yes, please"]).randomElement(using: &generator) ?? value
        },
    ]
}
