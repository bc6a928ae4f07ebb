import Synchronization

/// Unit IDs of one shape, made as they are needed.
///
/// ```swift
/// let units = GeneratedUnits(.email, count: 10_000, seed: 7)
/// ```
public final class GeneratedUnits: UnitSource {
    /// The number of unit IDs of a block but the last: small enough for what is made of it to stay in a core's cache.
    static let blockLength = 1 << 14
    /// The shape of the IDs.
    public let shape: UnitShape
    /// The number of IDs.
    public let count: Int
    /// The seed of random IDs.
    public let seed: UInt64
    private let given = Atomic<Int>(0)

    /// Creates a source of `count` unit IDs, 0 or more.
    public init(_ shape: UnitShape, count: Int, seed: UInt64 = 1) {
        self.shape = shape
        self.count = max(count, 0)
        self.seed = seed
    }

    /// The name of the shape.
    public var name: String { shape.rawValue }
    /// The number of unit IDs.
    public var expectedCount: Int? { count }

    /// Examples of the unit IDs.
    public var notes: [String] {
        let examples = (0..<min(3, count)).map { "\"\(shape.unitID($0, seed: seed))\"" }
        return examples.isEmpty ? [] : ["Generated, such as \(examples.joined(separator: ", "))."]
    }

    /// Replaces the unit IDs of a block by the next ones.
    ///
    /// - Returns: how many came before them; `nil` when there are none left.
    public func next(into block: inout UnitBlock) -> Int? {
        block.removeAll()
        let start = given.add(Self.blockLength, ordering: .relaxed).oldValue
        guard start < count else { return nil }
        for index in start..<min(start + Self.blockLength, count) {
            block.append { shape.write(index, seed: seed, to: &$0) }
        }
        return start
    }
}

/// The shape of generated unit IDs. Unit number *i* of a shape and seed is the same on every machine.
public enum UnitShape: String, Sendable, CaseIterable {
    /// The numbers from 1 on, the hardest test of a hash: neighbours differ in a digit.
    case sequential
    /// Random UUIDs (version 4) in lower case.
    case uuid
    /// Addresses such as `maria.garcia17@example.com`.
    case email
    /// 64 random bits in 16 hexadecimal digits.
    case hex
    /// Names in many scripts, composed and decomposed, with digits of the script.
    case unicode

    /// Appends the ID of unit number `index`, 0 or more, to `bytes`. Two units of a shape and seed never share one.
    func write(_ index: Int, seed: UInt64, to bytes: inout [UInt8]) {
        switch self {
        case .sequential: bytes += String(index + 1).utf8
        case .uuid: UnitText.appendUUID(index, seed: seed, to: &bytes)
        case .hex: UnitText.appendHexadecimal(NumberedRandom.value(index, seed: seed), digits: 16, to: &bytes)
        case .email: EmailNames.append(index, seed: seed, to: &bytes)
        case .unicode: ScriptNames.append(index, seed: seed, to: &bytes)
        }
    }

    /// The ID of unit number `index`, 0 or more.
    public func unitID(_ index: Int, seed: UInt64 = 1) -> String {
        var bytes: [UInt8] = []
        write(index, seed: seed, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

enum UnitText {
    static func appendHexadecimal(_ bits: UInt64, digits: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: UInt64(digits * 4), to: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: bits &>> (shift &- 4)) & 0xF
            bytes.append(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit)
        }
    }

    /// A random UUID (RFC 9562, version 4), of 122 bits of two random numbers.
    static func appendUUID(_ index: Int, seed: UInt64, to bytes: inout [UInt8]) {
        let high = NumberedRandom.value(2 * index, seed: seed)
        let low = NumberedRandom.value(2 * index + 1, seed: seed)
        appendHexadecimal(high &>> 32, digits: 8, to: &bytes)
        for group in [high &>> 16, high & 0xFFF | 0x4000, low &>> 48 & 0x3FFF | 0x8000] {
            bytes.append(UInt8(ascii: "-"))
            appendHexadecimal(group, digits: 4, to: &bytes)
        }
        bytes.append(UInt8(ascii: "-"))
        appendHexadecimal(low, digits: 12, to: &bytes)
    }
}

/// Random numbers by their number in the row: SplitMix64 (Steele, Lea and Flood 2014), which can start anywhere.
enum NumberedRandom {
    /// The number at `index`, 0 or more. Numbers at different indices of one seed differ.
    static func value(_ index: Int, seed: UInt64) -> UInt64 {
        mixed(mixed(seed &+ increment) &+ UInt64(truncatingIfNeeded: index) &* increment)
    }

    private static let increment: UInt64 = 0x9e37_79b9_7f4a_7c15

    private static func mixed(_ state: UInt64) -> UInt64 {
        var bits = state
        bits = (bits ^ (bits &>> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits &>> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits &>> 31)
    }

    /// A number from 0 to 1, both excluded.
    static func fraction(_ index: Int, seed: UInt64) -> Double {
        (Double(value(index, seed: seed) &>> 12) + 0.5) * 0x1p-52
    }
}
