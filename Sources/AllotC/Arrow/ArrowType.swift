import AllotConfiguration

/// The type of an Arrow array, as a format string of the C Data Interface names it.
enum ArrowType: Equatable {
    case scalar(ScalarKind)
    case list(ListKind)
    /// A type that attributes do not have, by its name, or else by its format in quotes.
    case unsupported(String)

    /// Reads a format string, and the extension type whose values are stored so; `nil` if they are plain. Numbers and
    /// lists of an extension that is not known, which may stand for something else, are unsupported; other values are
    /// what they are stored as.
    init(format: String, extensionName: String?) {
        let plain = ArrowType(format: format)
        guard let extensionName, !Self.plainExtensions.contains(extensionName) else {
            self = plain
            return
        }
        switch (extensionName, plain) {
        case ("arrow.uuid", _) where format == "w:16": self = .scalar(.uuid)
        case ("arrow.bool8", .scalar(.int8)): self = .scalar(.bool8)
        case (_, .scalar(let kind)) where !kind.isInteger && !kind.isFloatingPoint: self = plain
        default: self = .unsupported("\(QuotedText(extensionName)), an extension type stored as \(plain.name)")
        }
    }

    /// The names of extensions that add only what their own library needs: none, and those of awkward-array and of R.
    private static let plainExtensions: Set<String> = ["", "awkward", "arrow.r.vctrs"]

    private var name: String {
        switch self {
        case .scalar(let kind): kind.name
        case .list: "a list"
        case .unsupported(let name): name
        }
    }

    private init(format: String) {
        if let kind = ScalarKind(format: format) {
            self = .scalar(kind)
        } else if let kind = ListKind(format: format) {
            self = .list(kind)
        } else {
            self = .unsupported(Self.unsupportedName(format) ?? "\(QuotedText(format))")
        }
    }

    /// The name of a type that is valid and not read. Returns `nil` for a format that the specification does not have.
    private static func unsupportedName(_ format: String) -> String? {
        switch format {
        case "z", "Z", "vz": "binary"
        case "+s": "struct"
        case "+m": "map"
        case "+r": "run_end_encoded"
        case "ttm", "tts", "ttu", "ttn": "time of day"
        case "tDs", "tDm", "tDu", "tDn": "duration"
        case "tiM", "tiD", "tin": "interval"
        case _ where format.hasPrefix("w:"): "fixed_size_binary"
        case _ where format.hasPrefix("+ud:") || format.hasPrefix("+us:"): "union"
        default: nil
        }
    }
}

/// A type of single values, without references, so that reading a value counts none.
enum ScalarKind: Equatable {
    case null, boolean
    /// A boolean in a byte, and the 16 bytes of a UUID.
    case bool8, uuid
    case int8, uint8, int16, uint16, int32, uint32, int64, uint64
    case float16, float32, float64
    /// Text with offsets of 32 or 64 bits, or as views.
    case text32, text64, textView
    /// A decimal of that many bytes, and the number of its digits after the point, which may be negative.
    case decimal(width: Int, scale: Int)
    /// Days, or milliseconds that are whole days.
    case date32, date64
    /// The number of units in a second, whether there is a time zone or not.
    case timestamp(unitsPerSecond: Int64)

    /// Scales beyond those of 256 bits are absurd.
    private static let scaleLimit = 76

    init?(format: String) {
        if let kind = Self.plain[format] {
            self = kind
        } else if let units = Self.timestamps[String(format.prefix(4))] {
            self = .timestamp(unitsPerSecond: units)
        } else {
            // d:precision,scale or d:precision,scale,bits
            let numbers = format.dropFirst(2).split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
            guard format.hasPrefix("d:"), (2...3).contains(numbers.count), let precision = numbers[0],
                let scale = numbers[1], let bits = numbers.count == 3 ? numbers[2] : 128,
                [32, 64, 128, 256].contains(bits), (1...Self.scaleLimit).contains(precision),
                (-Self.scaleLimit...Self.scaleLimit).contains(scale)
            else { return nil }
            self = .decimal(width: bits / 8, scale: scale)
        }
    }

    private static let plain: [String: ScalarKind] = [
        "n": .null, "b": .boolean, "c": .int8, "C": .uint8, "s": .int16, "S": .uint16, "i": .int32, "I": .uint32,
        "l": .int64, "L": .uint64, "e": .float16, "f": .float32, "g": .float64, "u": .text32, "U": .text64,
        "vu": .textView, "tdD": .date32, "tdm": .date64,
    ]
    private static let timestamps: [String: Int64] = [
        "tss:": 1, "tsm:": 1000, "tsu:": 1_000_000, "tsn:": 1_000_000_000,
    ]

    var isInteger: Bool {
        switch self {
        case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: true
        default: false
        }
    }

    var isFloatingPoint: Bool { self == .float16 || self == .float32 || self == .float64 }

    var isText: Bool {
        switch self {
        case .text32, .text64, .textView: true
        default: false
        }
    }

    /// Whether its values are written with decimals, even whole ones: as text, `7.0` is another unit than `7`.
    var hasDecimals: Bool { if case .decimal(_, let scale) = self { scale > 0 } else { isFloatingPoint } }
    private var isDecimal: Bool { if case .decimal = self { true } else { false } }
    var canBeUnit: Bool { self == .null || self == .uuid || isInteger || isText || (isDecimal && !hasDecimals) }

    var canBeInstant: Bool {
        switch self {
        case .date32, .date64, .timestamp, .null: true
        default: isText
        }
    }

    /// The number of buffers that an array of this type has; `nil` for any number.
    var bufferCount: Int? {
        switch self {
        // Before 1.0 it had one.
        case .null: nil
        case .text32, .text64: 3
        // Validity, views, any number of texts, and their sizes.
        case .textView: nil
        default: 2
        }
    }

    var name: String {
        switch self {
        case .text32: "utf8"
        case .text64: "large_utf8"
        case .textView: "utf8_view"
        case .decimal(let width, _): "decimal\(width * 8)"
        case .timestamp: "timestamp"
        default: "\(self)"
        }
    }
}

/// How an array has lists of values of another.
enum ListKind: Equatable {
    /// Offsets of 32 or 64 bits.
    case offsets32, offsets64
    /// Offsets and sizes of 32 or 64 bits.
    case views32, views64
    /// That many elements each.
    case fixed(Int)

    init?(format: String) {
        switch format {
        case "+l": self = .offsets32
        case "+L": self = .offsets64
        case "+vl": self = .views32
        case "+vL": self = .views64
        default:
            guard format.hasPrefix("+w:"), let size = Int(format.dropFirst(3)), (0...Int(Int32.max)).contains(size)
            else { return nil }
            self = .fixed(size)
        }
    }

    var bufferCount: Int {
        switch self {
        case .fixed: 1
        case .offsets32, .offsets64: 2
        case .views32, .views64: 3
        }
    }
}
