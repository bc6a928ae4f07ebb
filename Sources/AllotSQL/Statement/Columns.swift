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

    /// The column of an attribute's text, NULL if it is missing.
    ///
    /// Instants and addresses have columns of their own where they are not written as other texts of the engine are, so
    /// that no experiment changes what another one reads.
    ///
    /// - Parameter use: what the text is read as; `nil` if it only matters whether there is one.
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

    mutating func unit(_ attribute: String) throws(Unsupported) -> String {
        guard !CompositeUnit.isName(attribute) else {
            throw Unsupported("the unit \(attribute) is of several attributes; assign by allot assign")
        }
        let name = names.name("unit_", attribute)
        let text = try text(attribute, as: .unit)
        let conditions = [
            "\(syntax.byteCount(text)) <= \(UnitID.maximumLength)", syntax.isValidText(text),
            instant.map { "\($0) IS NOT NULL" },
        ].compactMap { $0 }
        stages.readings.add(name, "CASE WHEN \(conditions.joined(separator: " AND ")) THEN \(text) END")
        return name
    }

    mutating func bucket(_ hash: UnitHash, _ unit: String, isSecond: Bool = false) throws(Unsupported) -> BucketColumn {
        let salt: Salt
        switch hash {
        case .sha256(let own): salt = own
        case .other(let other): return BucketColumn(number: try number(other, unit), count: hash.resolution)
        }
        let column = try self.unit(unit)
        usesOwnHash = true
        // A salt contains no ":", so no two pairs of salt and unit have the same key.
        let key = unit == Subject.defaultUnit ? salt.text : "\(salt.text):\(unit)"
        let name = names.name("digest_", key)
        let digest = syntax.digest(.sha256, of: try syntax.salted("\(salt.text):", column))
        if let order = syntax.digestOrder {
            stages.buckets.add(name, order.digest(digest))
            stages.noteDigits()
            return BucketColumn(digest: name, isSecond: isSecond, order, syntax)
        }
        stages.digests.add(name, digest)
        let bucket = names.name(isSecond ? "second_" : "first_", key)
        stages.buckets.add(bucket, syntax.bucket(name, offset: isSecond ? 5 : 0))
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
