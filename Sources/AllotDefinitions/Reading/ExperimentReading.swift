import AllotConfiguration
import AllotCore

struct ExperimentReading {
    private(set) var definition: ExperimentDefinition
    private(set) var places: ExperimentFile.Places
    private(set) var isComparable = true
    private(set) var hasHash = true
    /// The buckets that the variants divide; `nil` if the hash could not be read.
    private var scale: BucketScale?
    private(set) var slotScale = BucketScale.own
    private(set) var hasAllVariants = false

    static let keys = [
        "status", "winner", "description", "owner", "unit", "hash", "salt", "resolution", "layer", "slots", "traffic",
        "starts", "ends", "period", "audience", "requires", "variants", "forced", "randomisation",
    ]

    init?(_ root: SourceNode, key: String, layers: LayersFile, segments: SegmentsFile, reader: inout FileReader) {
        let field = Field(root)
        guard
            let fields = reader.fields(
                field, of: "the experiment", form: "key: value lines, the first status: draft", known: Self.keys,
                fixes: OtherWords.experimentKeys),
            // A file with an invalid name is read for its problems only, so its salt is never used.
            let salt = Salt(key) ?? Salt("0")
        else { return nil }
        definition = ExperimentDefinition(key: key, status: .draft, salt: salt, variants: [])
        places = ExperimentFile.Places(
            root: field.withoutContent, hash: fields["hash"], salt: fields["salt"], ends: fields["ends"])
        places.owner = fields["owner"]
        definition.description = reader.text(fields, "description")
        definition.owner = reader.text(fields, "owner")
        readDraw(fields, &reader)
        readGates(fields, field, layers, segments, &reader)
        readTraffic(fields, &reader)
        readVariants(fields, field, &reader)
        checkBalance(fields, &reader)
        readWinner(fields, &reader)
        readForced(fields, &reader)
    }

    /// Reads the gates that decide whether a unit can be in this experiment and in another one.
    private mutating func readGates(
        _ fields: Fields, _ root: Field, _ layers: LayersFile, _ segments: SegmentsFile, _ reader: inout FileReader
    ) {
        var hasScale = true
        isComparable = reader.isFaultless { reader in
            readStatus(fields, root, &reader)
            hasScale = readLayer(fields, layers, &reader)
            readSchedule(fields, &reader)
            readPeriod(fields, &reader)
            readRequirements(fields, &reader)
        }
        if !hasScale { isComparable = false }
        if let audience = fields["audience"] {
            let (condition, isReliable) = segments.condition(audience, &reader)
            definition.audience = condition
            places.audience = audience
            if !isReliable { isComparable = false }
        }
    }

    private static let statuses = ExperimentStatus.allCases.map(\.rawValue)

    private mutating func readStatus(_ fields: Fields, _ root: Field, _ reader: inout FileReader) {
        let form = "the statuses are \(Self.statuses.joined(separator: ", "))"
        guard let field = fields["status"] else {
            reader.error("status is missing; \(form)", at: root)
            return
        }
        let word: String? =
            if case .boolean(let flag) = field.node.content { OtherWords.fix(forStatus: "\(flag)") } else { nil }
        guard let text = reader.text(field, "status", form: word ?? form) else { return }
        if let status = ExperimentStatus(rawValue: text) {
            definition.status = status
            places.status = field
        } else {
            let fix = OtherWords.fix(forStatus: text) ?? FileReader.hint(text, Self.statuses, what: "the statuses are")
            reader.error("unknown status \(QuotedText(text)); \(fix)", at: field)
        }
    }

    private static let randomisationKeys = [
        "hash", "salt", "resolution", "layer", "slots", "traffic", "period", "forced", "randomisation",
    ]

    private mutating func readDraw(_ fields: Fields, _ reader: inout FileReader) {
        if case .text(UnitContract.noUnit)? = fields["unit"]?.node.content {
            definition.draw = nil
            for key in Self.randomisationKeys { rejectRandomisationKey(fields, key, &reader) }
            return
        }
        definition.draw?.unit = reader.unit(fields)
        places.unit = fields["unit"]
        let reading = reader.hash(fields, default: definition.key)
        scale = reading.scale
        if let hash = reading.hash { definition.draw?.hash = hash } else { hasHash = false }
        guard let field = fields["randomisation"] else { return }
        if let scale, scale.isForeign {
            reader.error(
                "randomisation is how a salt of Allot's own hash was chosen, and \(scale.scheme.rawValue) is another "
                    + "system's; remove it", at: field, atKey: true)
        } else {
            definition.randomisation = reader.randomisation(field)
        }
    }

    private func rejectRandomisationKey(_ fields: Fields, _ key: String, _ reader: inout FileReader) {
        guard let field = fields[key] else { return }
        reader.error(
            "with unit: none everyone in the audience gets the one variant, so \(key) has no meaning; remove it, or "
                + "name the attribute that holds the unit ID", at: field, atKey: true)
    }

    private mutating func readTraffic(_ fields: Fields, _ reader: inout FileReader) {
        guard definition.draw != nil, let field = fields["traffic"] else { return }
        var read: Traffic?
        let isFaultless = reader.isFaultless { read = $0.traffic(field, within: definition.schedule) }
        guard let traffic = read else {
            definition.traffic = .constant(0)
            return
        }
        definition.traffic = traffic
        if isFaultless { places.traffic = field.withoutContent }
        guard let scale, scale.isForeign, traffic != .constant(Bucketing.bucketCount) else { return }
        reader.error(
            "traffic takes a second bucket, and \(scale.scheme.rawValue) has one only; remove it, and leave buckets to "
                + "no variant, or require a variant of another experiment, or use a layer", at: field, atKey: true)
    }

    /// Returns whether it is known in which buckets the slots are given.
    private mutating func readLayer(_ fields: Fields, _ layers: LayersFile, _ reader: inout FileReader) -> Bool {
        if definition.draw == nil { return true }
        (places.layer, places.slots) = (fields["layer"], fields["slots"])
        switch (places.layer, places.slots) {
        case (let layer?, let slots?):
            definition.layer = reader.text(layer, "layer")
            guard let scale = layers.scale(of: definition.layer ?? "") else { return false }
            slotScale = scale
            guard let ranges = reader.ranges(slots, "slots", of: scale) else { return true }
            reader.checkOverlaps(ranges.map { ($0.range, $0.field, nil) })
            definition.slots = BucketSet(ranges.map(\.range)).ranges
        case (let layer?, nil):
            reader.error("layer is given without slots; add slots, such as slots: [0%..<50%]", at: layer, atKey: true)
        case (nil, let slots?): reader.error("slots are given without a layer; add layer: NAME", at: slots, atKey: true)
        case (nil, nil): break
        }
        return true
    }

    private mutating func readSchedule(_ fields: Fields, _ reader: inout FileReader) {
        definition.starts = reader.instant(fields, "starts")
        definition.ends = reader.instant(fields, "ends")
        if let starts = definition.starts, let ends = definition.ends, starts >= ends, let field = fields["ends"] {
            reader.error(
                "ends \(ends.writtenText) is not after starts \(starts.writtenText); the experiment would never run",
                at: field)
        }
    }

    private mutating func readPeriod(_ fields: Fields, _ reader: inout FileReader) {
        guard definition.draw != nil, let field = fields["period"] else { return }
        places.period = field
        let period = reader.period(field, within: definition.schedule, of: scale)
        definition.draw?.period = period
    }

    /// Reports variants that a balanced period cannot give to one unit in turn.
    private func checkBalance(_ fields: Fields, _ reader: inout FileReader) {
        guard definition.draw?.period?.isBalanced == true, hasAllVariants, let place = places.period?.member("balanced")
        else { return }
        let count = definition.variants.count
        let takesBuckets = fields["variants"]?.elements?.contains { $0.member("buckets") != nil } ?? false
        if count != 2 {
            reader.error(
                "a balanced period gives a unit both of two variants in each pair of windows, and there are \(count) "
                    + "variants; \(count > 2 ? "keep two" : "add one"), or remove balanced", at: place, atKey: true)
        } else if takesBuckets {
            reader.error(
                "a balanced period takes two variants of equal weight, and these have buckets; remove the buckets, or "
                    + "balanced", at: place, atKey: true)
        } else if definition.variants[0].bucketCount != definition.variants[1].bucketCount {
            reader.error(
                "a balanced period takes two variants of equal weight, and these have unequal ones; remove the "
                    + "weights, or balanced", at: place, atKey: true)
        }
    }

    /// Reports a forced ID that no unit of several attributes can have.
    private func checkJoined(_ unitID: String, of attributes: [String], at field: Field, _ reader: inout FileReader) {
        let parts = CompositeUnit.parts(of: unitID)
        if parts.count == attributes.count, !parts.contains(""), UTF8Order.areEqual(CompositeUnit.join(parts), unitID) {
            return
        }
        let marks = unitID.utf8.contains(CompositeUnit.escape) ? #", where each has \| for | and \\ for \"# : ""
        reader.error(
            "the unit ID \(QuotedText(unitID)) is not that of \(attributes.count) attributes; join the IDs of "
                + "\(attributes.joined(separator: " and ")) by \"|\"\(marks)", at: field, atKey: true)
    }

    private var knownVariants: [String]? { hasAllVariants ? definition.variants.map(\.key) : nil }

    private mutating func readWinner(_ fields: Fields, _ reader: inout FileReader) {
        guard let field = fields["winner"], let winner = reader.variant(field, "winner", among: knownVariants) else {
            return
        }
        places.winner = field
        if places.status != nil, definition.status != .concluded {
            reader.error(
                "winner is given, but the status is \(definition.status.rawValue); set status: concluded, or remove "
                    + "the winner", at: field, atKey: true)
        }
        if isVariant(winner, "the winner", at: field, &reader) { definition.winner = winner }
    }

    private func isVariant(_ key: String, _ what: String, at field: Field, _ reader: inout FileReader) -> Bool {
        if definition.variants.contains(where: { UTF8Order.areEqual($0.key, key) }) { return true }
        if let keys = knownVariants {
            let hint = FileReader.hint(key, keys, what: "the variants are")
            reader.error("\(what) \(QuotedText(key)) is not a variant; \(hint)", at: field)
        }
        return false
    }

    private static let requirementForm = "{ EXPERIMENT: [VARIANT] }, or { EXPERIMENT: none }"
    private static let noVariant = "none"

    private mutating func readRequirements(_ fields: Fields, _ reader: inout FileReader) {
        guard let field = fields["requires"],
            let targets = reader.fields(field, of: "requires", form: Self.requirementForm)
        else { return }
        for (experiment, field) in targets.entries {
            places.requirements[UTF8Key(experiment)] = field
            if case .text(let text) = field.node.content {
                if text == Self.noVariant {
                    definition.requirements.append(.init(experiment: experiment, .noVariant))
                } else {
                    reader.error(
                        "the list of required variants is the text \(QuotedText(text)); write "
                            + "[\(QuotedText(text))], or none for units without a variant of \(experiment)", at: field)
                }
                continue
            }
            guard let elements = reader.elements(field, of: "the list of required variants", form: "[control]")
            else { continue }
            if elements.isEmpty {
                reader.error(
                    "no variant of \(experiment) is listed; list those that admit a unit, or write none instead of the "
                        + "list for units without a variant", at: field)
            }
            var variants: [String] = []
            for element in elements {
                guard let variant = reader.text(element, "a variant") else { continue }
                variants.append(variant)
                places.requiredVariants.append((experiment, variant, element))
            }
            definition.requirements.append(.init(experiment: experiment, .variants(variants)))
        }
        definition.requirements.sort { UTF8Order.precedes($0.experiment, $1.experiment) }
    }

    private mutating func readForced(_ fields: Fields, _ reader: inout FileReader) {
        guard definition.draw != nil, let field = fields["forced"],
            let units = reader.fields(field, of: "forced", form: "{ UNIT-ID: VARIANT }")
        else { return }
        for ((unitID, field), style) in zip(units.entries, units.keyStyles) {
            if style == .plain, JSONNumber(unitID)?.inexactness != nil {
                reader.error(
                    "the unit ID \(unitID) is a number of 2^53 or more, which other readers of YAML round; put it in "
                        + "quotes", at: field, atKey: true)
            }
            if unitID.isEmpty || unitID.utf8.count > UnitID.maximumLength {
                reader.error(
                    "a unit ID has 1 to \(UnitID.maximumLength) bytes, this one \(unitID.utf8.count)", at: field,
                    atKey: true)
            }
            if let attributes = definition.draw?.unitAttributes, attributes.count > 1 {
                checkJoined(unitID, of: attributes, at: field, &reader)
            }
            if let doubt = DoubtfulText.edgeDoubt(unitID) { reader.warning(doubt, at: field, atKey: true) }
            guard let variant = reader.variant(field, "the variant", among: knownVariants),
                isVariant(variant, "the forced variant", at: field, &reader)
            else { continue }
            places.forced[UTF8Key(unitID)] = field
            definition.forced.append(.init(unitID: unitID, variant: variant))
        }
        definition.forced.sort { UTF8Order.precedes($0.unitID, $1.unitID) }
    }
}

// MARK: Variants

extension ExperimentReading {
    private static let variantKeys = ["key", "weight", "buckets", "description", "overrides"]

    private struct VariantDraft {
        let field: Field
        var key: String?
        var weight: UInt64?
        var weightField: Field?
        var buckets: [(range: Range<Int>, field: Field)]?
        var overrides: JSONObject
        var description: String?
    }

    private mutating func readVariants(_ fields: Fields, _ root: Field, _ reader: inout FileReader) {
        guard let field = fields["variants"] else {
            reader.error("variants are missing; list at least one, such as - key: control", at: root)
            return
        }
        guard let elements = reader.elements(field, of: "variants", form: "[{ key: control }, { key: green }]") else {
            return
        }
        hasAllVariants = !elements.isEmpty
        if elements.isEmpty {
            reader.error("there are no variants; list at least one, such as - key: control", at: field)
        }
        if definition.draw == nil, elements.count > 1 {
            reader.error(
                "with unit: none everyone in the audience gets one variant, and there are \(elements.count); keep one, "
                    + "or name the attribute that holds the unit ID", at: field)
        }
        let usesBuckets = scale?.isForeign ?? true || elements.contains { $0.member("buckets") != nil }
        var drafts: [VariantDraft] = []
        var lines: [String: Int] = [:]
        var cases = CaseCheck("variants")
        for element in elements {
            let draft = readVariant(element, usesBuckets: usesBuckets, &reader)
            if let draft { drafts.append(draft) }
            guard let key = draft?.key else {
                hasAllVariants = false
                continue
            }
            if let line = lines[key] {
                reader.error("the variant \(key) is given twice, also at line \(line); rename one", at: element)
            } else {
                lines[key] = element.position.line
                if let message = cases.warning(key) { reader.warning(message, at: element) }
            }
        }
        let ranges = usesBuckets ? bucketRanges(drafts, field, &reader) : weightRanges(drafts, field, &reader)
        // One without a key is read for the problems of what it overrides.
        definition.variants = zip(drafts, ranges).map {
            VariantDefinition(
                key: $0.key ?? "?", buckets: BucketSet($1).ranges, overrides: $0.overrides, description: $0.description)
        }
    }

    private mutating func readVariant(_ field: Field, usesBuckets: Bool, _ reader: inout FileReader) -> VariantDraft? {
        var form: String {
            if case .text(let text) = field.node.content, Salt.isValid(text) { "key: \(text)" } else { "key: NAME" }
        }
        guard let fields = reader.fields(field, of: "a variant", form: form, known: Self.variantKeys) else {
            return nil
        }
        let description = reader.text(fields, "description")
        if fields["key"] == nil { reader.error("the variant has no key; add key: NAME", at: field) }
        let key = fields["key"].flatMap { reader.name($0, "the variant key") }
        var draft = VariantDraft(field: field, key: key, overrides: [:], description: description)
        readShare(fields, &draft, usesBuckets: usesBuckets, &reader)
        let overridesForm = "{ SECTION: { SETTING: value } }"
        if let overrides = fields["overrides"],
            let sections = reader.fields(overrides, of: "overrides", form: overridesForm)
        {
            for (section, field) in sections.entries {
                let settings = reader.fields(field, of: "the section \(QuotedText(section))", form: overridesForm)
                if settings?.isEmpty == false { draft.overrides[section] = field.node.json }
            }
        }
        places.overrides.append(fields["overrides"])
        return draft
    }

    private func readShare(_ fields: Fields, _ draft: inout VariantDraft, usesBuckets: Bool, _ reader: inout FileReader)
    {
        guard definition.draw != nil else {
            for key in ["weight", "buckets"] { rejectRandomisationKey(fields, key, &reader) }
            return
        }
        // Without a hash it is not known what shares are given in.
        guard let scale else {
            if let weight = fields["weight"] { _ = reader.weight(weight) }
            return
        }
        let name = draft.key.map { "the variant \($0)" } ?? "the variant"
        switch (fields["weight"], fields["buckets"]) {
        case (let weight?, _) where scale.isForeign:
            reader.error(
                "\(scale.scheme.rawValue) takes buckets and no weights; write the buckets that the variant owns, such "
                    + "as buckets: [0..<\(max(scale.count / 2, 1))]", at: weight, atKey: true)
        case (nil, nil) where scale.isForeign:
            reader.error("\(name) names no buckets; \(scale.rangeForm)", at: draft.field)
        case (let weight?, nil) where !usesBuckets:
            draft.weight = reader.weight(weight)
            draft.weightField = weight
            if draft.weight == 0 {
                reader.warning("the weight is 0; only forced units get \(draft.key ?? "it")", at: weight)
            }
        case (nil, let buckets?):
            draft.buckets = reader.ranges(buckets, "buckets", of: scale, allowsNone: true)
            if draft.buckets?.isEmpty ?? false {
                reader.warning("buckets is empty; only forced units get \(draft.key ?? "it")", at: buckets)
            }
        case (nil, nil) where usesBuckets:
            reader.error("\(name) names no buckets, and others do; give buckets to all or to none", at: draft.field)
        case (let weight?, _):
            reader.error(
                "weights and buckets are mixed; give all variants weights, or all buckets", at: weight, atKey: true)
        case (nil, nil): draft.weight = 1_000_000
        }
    }

    private func bucketRanges(_ drafts: [VariantDraft], _ field: Field, _ reader: inout FileReader) -> [[Range<Int>]] {
        if !drafts.isEmpty, drafts.allSatisfy({ $0.buckets?.isEmpty ?? false }) {
            reader.error(
                "no variant has a bucket, so no unit gets a variant; give one a range such as 0%..<50%", at: field)
        }
        reader.checkOverlaps(
            drafts.flatMap { draft in (draft.buckets ?? []).map { ($0.range, $0.field, draft.key ?? "?") } })
        return drafts.map { ($0.buckets ?? []).map(\.range) }
    }

    private func weightRanges(_ drafts: [VariantDraft], _ field: Field, _ reader: inout FileReader) -> [[Range<Int>]] {
        let nothing = drafts.map { _ in [Range<Int>]() }
        let weights = drafts.compactMap(\.weight)
        guard weights.count == drafts.count, !drafts.isEmpty else { return nothing }
        guard let ranges = Weights.ranges(millionths: weights) else {
            reader.error("all weights are 0, so no unit gets a variant; give one a weight above 0", at: field)
            return nothing
        }
        // Weights near 1 go together with the 1 of a variant without one; percentages and shares of 1 do not.
        let given = drafts.filter { $0.weightField != nil && $0.weight != 0 }.compactMap(\.weight)
        let areOfOne = given.min().map { (1_000_000...10_000_000).contains($0) } ?? true
        for (draft, range) in zip(drafts, ranges) where draft.weight != 0 {
            if range.isEmpty {
                reader.warning(
                    "the weight is so small among the others that it comes to none of \(Bucketing.bucketCount) "
                        + "buckets; only forced units get \(draft.key ?? "it"), so raise it",
                    at: draft.weightField ?? draft.field)
            } else if draft.weightField == nil, !areOfOne {
                reader.warning(
                    "\(draft.key ?? "it") has no weight, which counts as 1 and comes to "
                        + "\(Percentage.text(ofBuckets: range.count)) of all; give all variants weights",
                    at: draft.field)
            }
        }
        return ranges.map { [$0] }
    }
}
