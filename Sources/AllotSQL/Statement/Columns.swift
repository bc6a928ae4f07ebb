import AllotConfiguration
import AllotCore

struct Columns {
    let syntax: any SQLSyntax
    let source: SourceColumns
    var stages = Stages()
    private(set) var names = InternalNames()
    private(set) var attributes: [String] = []
    private var uses: [UTF8Key: Set<ColumnUse>] = [:]
    /// The column of the rows' own instants; `nil` if all rows are decided at one.
    private(set) var instant: String?
    private(set) var usesOwnHash = false
    private(set) var usesWindows = false
    private(set) var foreignHashes: Set<ForeignHash> = []

    init(syntax: any SQLSyntax, source: SourceColumns) {
        self.syntax = syntax
        self.source = source
    }

    mutating func name(_ kind: String, _ text: String) -> String { names.name(kind, text) }

    /// Whether a name leads into an object, which columns of tables do not have.
    func needsObject(_ attribute: String) -> Bool {
        AttributePath.leadsIntoObject(attribute) && !source.isMapped(attribute)
    }

    /// The column of an attribute's text, NULL if it is missing. Instants and addresses have columns of their own where
    /// they are written otherwise than other texts. Without `use` it only matters whether there is one.
    mutating func text(_ attribute: String, as use: ColumnUse? = nil) throws(Unsupported) -> String {
        let column = try source.column(of: attribute)
        if let use { uses[UTF8Key(attribute), default: []].insert(use) }
        if !attributes.contains(where: { UTF8Key($0) == UTF8Key(attribute) }) {
            try checkColumn(of: attribute)
            attributes.append(attribute)
        }
        let plain = column.map(syntax.columnText)
        let (kind, text) =
            switch use {
            case .instant: ("time_", column.map(syntax.instantText))
            case .address: ("ip_", column.map(syntax.addressText))
            default: ("", plain)
            }
        let name = names.name(text == plain ? "" : kind, attribute)
        stages.attributes.add(name, text.map { "NULLIF(\($0), '')" } ?? syntax.noText)
        return name
    }

    var steps: [Stage] { stages.used }
    func uses(of attribute: String) -> Set<ColumnUse> { uses[UTF8Key(attribute)] ?? [] }

    /// Rejects a column that belongs to another attribute too, unless both are mapped to it.
    private func checkColumn(of attribute: String) throws(Unsupported) {
        guard let name = try source.name(of: attribute) else { return }
        func key(_ name: String) -> UTF8Key { UTF8Key(syntax.compared(name: name)) }
        for other in attributes {
            guard let otherName = try source.name(of: other), key(otherName) == key(name),
                !(source.isMapped(attribute) && source.isMapped(other))
            else { continue }
            throw Unsupported(
                "the attributes \(QuotedText(other)) and \(QuotedText(attribute)) are in the same column, \(name); map "
                    + "one of them to another column")
        }
    }

    /// Takes the instants of rows from a column of the table. Rows without one do not have a unit.
    mutating func takeInstants(from column: String) throws(Unsupported) {
        let name = names.name("at", "")
        stages.attributes.add(name, syntax.instants(of: try source.column(named: column)))
        instant = name
    }

    /// The column of a unit's ID, NULL if it is missing or not valid.
    mutating func unit(_ unit: String) throws(Unsupported) -> String {
        let name = names.name("unit_", unit)
        let text = try unitText(unit)
        let conditions = unitConditions(text) + (instant.map { ["\($0) IS NOT NULL"] } ?? [])
        stages.readings.add(name, "CASE WHEN \(conditions.joined(separator: " AND ")) THEN \(text) END")
        return name
    }

    /// The column of a unit's ID, which may be too long: of one attribute or several; NULL if a part is not valid.
    mutating func unitText(_ unit: String) throws(Unsupported) -> String {
        let attributes = CompositeUnit.parts(of: unit)
        guard attributes.count > 1 else { return try text(unit, as: .unit) }
        var conditions: [String] = []
        var pieces: [String] = []
        for attribute in attributes {
            let part = try text(attribute, as: .unit)
            conditions += unitConditions(part)
            if !pieces.isEmpty { pieces.append(try syntax.literal(Self.separator)) }
            pieces.append(try escaped(part))
        }
        let name = names.name("joined_", unit)
        let joined = syntax.byBytes(syntax.concatenated(pieces))
        stages.units.add(name, "CASE WHEN \(conditions.joined(separator: " AND ")) THEN \(joined) END")
        return name
    }

    private static let separator = String(UnicodeScalar(CompositeUnit.separator))
    private static let escape = String(UnicodeScalar(CompositeUnit.escape))

    /// A part of a unit ID as ``CompositeUnit`` joins it with others.
    private func escaped(_ part: String) throws(Unsupported) -> String {
        var text = part
        // The escapes first, so that those of the separators stay as they are.
        for mark in [Self.escape, Self.separator] {
            text = syntax.replaced(text, try syntax.literal(mark), with: try syntax.literal(Self.escape + mark))
        }
        return text
    }

    private func unitConditions(_ text: String) -> [String] {
        ["\(syntax.byteCount(text)) <= \(UnitID.maximumLength)", syntax.isValidText(text)].compactMap { $0 }
    }

    /// The window of a period in which units are hashed, at the `instant` of all rows or else at a `time`.
    mutating func window(of period: Period, at instant: Instant?, _ time: String) throws(Unsupported) -> HashedWindow {
        usesWindows = true
        if let instant { return try HashedWindow(of: period, at: instant, syntax) }
        let column = names.name("window_", "\(period.lengthText) \(period.from)")
        stages.readings.add(column, try syntax.window(of: period, at: time))
        return try HashedWindow(of: period, column: column, syntax)
    }

    /// - Parameter window: the window whose number is hashed after the unit ID, if the hash is Allot's own.
    mutating func bucket(
        _ hash: UnitHash, _ unit: String, isSecond: Bool = false, in window: HashedWindow? = nil
    ) throws(Unsupported) -> BucketColumn {
        switch hash {
        case .sha256(let salt): try bucket(salt, unit, isSecond: isSecond, in: window)
        case .other(let other): BucketColumn(number: try number(other, unit), count: hash.resolution)
        }
    }

    private mutating func bucket(
        _ salt: Salt, _ unit: String, isSecond: Bool, in window: HashedWindow?
    ) throws(Unsupported) -> BucketColumn {
        let column = try self.unit(unit)
        usesOwnHash = true
        // A salt contains neither "@" nor ":", so no two of salt, window and unit have the same key.
        let key =
            salt.text + (window.map { "@\($0.key)" } ?? "") + (unit == Subject.defaultUnit ? "" : ":\(unit)")
        let name = names.name("digest_", key)
        let input = try [syntax.literal("\(salt.text):"), column] + (window?.suffix ?? [])
        let digest = syntax.digest(.sha256, of: syntax.concatenated(input))
        let mirror = isSecond ? window?.mirror : nil
        if let order = syntax.digestOrder {
            stages.buckets.add(name, order.digest(digest))
            stages.noteDigits()
            if let mirror {
                let number = HashedWindow.mirrored(syntax.bucket(name, offset: 5), mirror)
                return BucketColumn(number: number, count: Bucketing.bucketCount)
            }
            return BucketColumn(digest: name, isSecond: isSecond, order, syntax)
        }
        stages.digests.add(name, digest)
        var number = syntax.bucket(name, offset: isSecond ? 5 : 0)
        if let mirror { number = HashedWindow.mirrored(number, mirror) }
        let kind = mirror != nil ? "mirrored_" : isSecond ? "second_" : "first_"
        let bucket = names.name(kind, key)
        stages.buckets.add(bucket, number)
        return BucketColumn(number: bucket, count: Bucketing.bucketCount)
    }

    private mutating func number(_ hash: ForeignHash, _ unit: String) throws(Unsupported) -> String {
        let column = try self.unit(unit)
        let number = ForeignNumber(hash: hash, syntax: syntax)
        // The lengths make keys unambiguous, whatever salt and unit contain.
        let key = "\(hash.salt) \(unit) \(hash.scheme.rawValue) \(hash.salt.utf8.count)"
        let digest = names.name("hash_", key)
        stages.digests.add(digest, try number.digest(column))
        let bucket = names.name("bucket_", "\(key) \(hash.resolution)")
        stages.buckets.add(bucket, number.number(digest))
        foreignHashes.insert(hash)
        stages.noteForeignHashes()
        return bucket
    }
}

/// How a statement interprets a column of text.
enum ColumnUse: String, CaseIterable {
    case unit = "unit ID"
    case text, boolean, number, version, instant
    case address = "IP address"
}
