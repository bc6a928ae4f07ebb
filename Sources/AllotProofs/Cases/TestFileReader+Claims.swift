import AllotConfiguration
import AllotCore
import AllotDefinitions

extension TestFileReader {
    mutating func readClaims(_ fields: Fields, isUnit: Bool) -> [Claim] {
        if isUnit, let field = fields["shares"] {
            reader.error("shares are of many units, and the case names one; remove unit", at: field, atKey: true)
        }
        return readExpectations(fields) + readSettings(fields) + readShares(fields) + readExclusive(fields)
    }

    private func claim(_ field: Field, _ content: Claim.Content) -> Claim {
        Claim(place: .init(file: reader.file, position: field.keyPosition), content: content)
    }

    private mutating func entries(_ fields: Fields, _ key: String, form: String) -> [(key: String, value: Field)] {
        guard let field = fields[key], let entries = reader.fields(field, of: key, form: form)?.entries else {
            return []
        }
        if entries.isEmpty { reader.error("\(key) is empty; write \(form)", at: field) }
        return entries
    }

    // MARK: Decisions

    private mutating func readExpectations(_ fields: Fields) -> [Claim] {
        entries(fields, "expect", form: "{ EXPERIMENT: VARIANT }").compactMap { key, field in
            guard let experiment = names.experiment(key, at: field, atKey: true, &reader),
                let acceptance = readAcceptance(field, experiment)
            else { return nil }
            return claim(field, .decision(experiment: experiment, acceptance))
        }
    }

    private mutating func readAcceptance(_ field: Field, _ experiment: Int) -> Acceptance? {
        var acceptance = Acceptance(words: "")
        guard field.entries != nil else {
            guard let (variants, words) = readVariants(field, experiment, prefersVariant: false) else { return nil }
            acceptance.variants = variants
            acceptance.words = words
            return acceptance
        }
        let form = "{ variant: VARIANT, reason: REASON }"
        guard let fields = reader.fields(field, of: "an expectation", form: form, known: ["variant", "not", "reason"])
        else { return nil }
        var words: [String] = []
        var isRead = true
        if let field = fields["variant"] {
            let read = readVariants(field, experiment, prefersVariant: true)
            acceptance.variants = read?.variants
            isRead = read != nil
            words += read.map { [$0.words] } ?? []
        }
        if let field = fields["not"] {
            let read = readVariants(field, experiment, prefersVariant: false)
            acceptance.refused = read?.variants ?? []
            isRead = isRead && read != nil
            words += read.map { ["not \($0.words)"] } ?? []
        }
        if let field = fields["reason"] {
            let texts = field.elements ?? [field]
            if texts.isEmpty { reader.error("the list of reasons is empty; name one, or leave it out", at: field) }
            let reasons = texts.compactMap { readReason($0) }
            acceptance.reasons = reasons
            isRead = isRead && reasons.count == texts.count
            words.append("with the reason \(reasons.map(\.text).joined(separator: " or "))")
        }
        if fields.entries.isEmpty { reader.error("the expectation is empty; write \(form)", at: field) }
        acceptance.words = words.joined(separator: " ")
        return isRead ? acceptance : nil
    }

    /// One variant or a list of them.
    private mutating func readVariants(
        _ field: Field, _ experiment: Int, prefersVariant: Bool
    ) -> (variants: [Int?], words: String)? {
        let elements = field.elements ?? [field]
        if elements.isEmpty {
            reader.error("the list is empty; name a variant or none", at: field)
            return nil
        }
        var variants: [Int?] = []
        for element in elements {
            guard let key = reader.text(element, "a variant"),
                let variant = names.variant(key, of: experiment, prefersVariant: prefersVariant, at: element, &reader)
            else { continue }
            variants.append(variant)
        }
        guard variants.count == elements.count else { return nil }
        let keys = variants.map { index in index.map { names.plan.experiments[experiment].variants[$0].key } ?? "none" }
        return (variants, keys.joined(separator: " or "))
    }

    private mutating func readReason(_ field: Field) -> Reason? {
        guard let text = reader.text(field, "a reason") else { return nil }
        if let reason = Reason.allCases.first(where: { $0.text == text }) { return reason }
        let hint = FileReader.hint(text, Reason.allCases.map(\.text), what: "the reasons are")
        reader.error("unknown reason \(QuotedText(text)); \(hint)", at: field)
        return nil
    }

    // MARK: Settings, shares, exclusion

    private mutating func readSettings(_ fields: Fields) -> [Claim] {
        entries(fields, "settings", form: "{ Section.Setting: VALUE }").compactMap { key, field in
            names.setting(key, at: field, &reader).map {
                claim(field, .setting(section: $0.section, name: $0.name, field.json))
            }
        }
    }

    private mutating func readShares(_ fields: Fields) -> [Claim] {
        let form = "{ EXPERIMENT: { VARIANT: 12.5% } }"
        return entries(fields, "shares", form: form).flatMap { key, field -> [Claim] in
            guard let experiment = names.experiment(key, at: field, atKey: true, &reader),
                let shares = reader.fields(field, of: "the shares of an experiment", form: "{ VARIANT: 12.5% }")
            else { return [] }
            return shares.entries.compactMap { key, field in
                guard let variant = names.variant(key, of: experiment, at: field, atKey: true, &reader),
                    let share = readShare(field)
                else { return nil }
                return claim(field, .share(experiment: experiment, variant: variant, share))
            }
        }
    }

    private mutating func readShare(_ field: Field) -> StatedShare? {
        switch field.node.content {
        case .text(let text):
            if let share = StatedShare(text) { return share }
            let fix = Percentage.fix(for: text, form: StatedShare.form)
            reader.error("\(QuotedText(text)) is not a share; \(fix)", at: field)
        case .number(let digits):
            let fix = Percentage.fix(for: digits, form: StatedShare.form)
            reader.error("the share is the number \(digits); \(fix)", at: field)
        default: reader.error("the share is \(field.node.described); \(StatedShare.form)", at: field)
        }
        return nil
    }

    private mutating func readExclusive(_ fields: Fields) -> [Claim] {
        guard let field = fields["exclusive"],
            let elements = reader.elements(field, of: "exclusive", form: "[EXPERIMENT, EXPERIMENT]")
        else { return [] }
        if elements.count < 2 {
            reader.error("exclusive lists fewer than two experiments; name two or more", at: field)
        }
        var indices: [Int] = []
        for element in elements {
            guard let key = reader.text(element, "an experiment"),
                let index = names.experiment(key, at: element, &reader)
            else { continue }
            if indices.contains(index) {
                reader.error("\(key) is listed twice; remove one of the two", at: element)
            } else {
                indices.append(index)
            }
        }
        return indices.count == elements.count ? [claim(field, .exclusive(indices))] : []
    }

    // MARK: Pinned buckets

    /// The knowledge of the buckets of a case's units.
    mutating func readPins(_ fields: Fields) -> [TestCase.Pin] {
        readBuckets(fields) + readSlots(fields) + readHoldouts(fields)
    }

    private mutating func readBuckets(_ fields: Fields) -> [TestCase.Pin] {
        entries(fields, "bucket", form: "{ EXPERIMENT: 734201 }").flatMap { key, field -> [TestCase.Pin] in
            guard let index = names.experiment(key, at: field, atKey: true, &reader) else { return [] }
            let experiment = names.plan.experiments[index]
            guard let draw = experiment.draw else {
                reader.error("\(key) is not randomised (unit: none), so there is no bucket; remove this", at: field)
                return []
            }
            func pin(_ half: BucketDimension.Half, _ set: BucketSet) -> TestCase.Pin {
                .bucket(BucketDimension(draw, half: half), set)
            }
            guard field.entries != nil else { return readBucket(field, of: draw.hash).map { [pin(.second, $0)] } ?? [] }
            guard draw.hash.foreign == nil else {
                reader.error("\(draw.hash.scheme.rawValue) gives one number; write { \(key): NUMBER }", at: field)
                return []
            }
            let form = "{ first: 0, second: 734201 }"
            guard let halves = reader.fields(field, of: "the buckets", form: form, known: ["first", "second"]) else {
                return []
            }
            return halves.entries.compactMap { half, field in
                readBucket(field, of: draw.hash).map { pin(half == "first" ? .first : .second, $0) }
            }
        }
    }

    private mutating func readSlots(_ fields: Fields) -> [TestCase.Pin] {
        entries(fields, "slot", form: "{ LAYER: 734201 }").compactMap { name, field in
            guard let index = names.layer(name, at: field, &reader) else { return nil }
            let layer = names.plan.layers[index]
            guard let set = readBucket(field, of: layer.hash) else { return nil }
            return .bucket(layer.dimension, set)
        }
    }

    private mutating func readHoldouts(_ fields: Fields) -> [TestCase.Pin] {
        entries(fields, "holdout", form: "{ HOLDOUT: true }").compactMap { name, field in
            guard let index = names.holdout(name, at: field, &reader) else { return nil }
            if case .boolean(let isHeldOut) = field.node.content { return .holdout(index, isHeldOut: isHeldOut) }
            let holdout = names.plan.holdouts[index]
            return readBucket(field, of: holdout.hash).map { .bucket(holdout.dimension, $0) }
        }
    }

    private mutating func readBucket(_ field: Field, of hash: UnitHash) -> BucketSet? {
        let bucket = hash.foreign.map { "a bucket of \($0.scheme.rawValue)" } ?? "a bucket"
        let form = "\(bucket) is a whole number from 0 to \(hash.resolution - 1), or a range such as 0%..<20%"
        switch field.node.content {
        case .number(let digits):
            if let bucket = Int(digits), (0..<hash.resolution).contains(bucket) {
                return BucketSet([bucket..<bucket + 1])
            }
            reader.error("\(digits) is not a bucket; \(form)", at: field)
        case .text(let text):
            if let range = BucketRange.parse(text, of: hash.scale) { return BucketSet([range]) }
            reader.error("\(QuotedText(text)) is not a bucket; \(form)", at: field)
        default: reader.error("the bucket is \(field.node.described); \(form)", at: field)
        }
        return nil
    }
}
