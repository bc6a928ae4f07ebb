/// What generated unit IDs look like. Unit number *i* of a shape and seed is the same on every machine.
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

    /// Writes the ID of unit number `index`, 0 or more, behind `bytes`. Two units of a shape and seed never share one.
    func write(_ index: Int, seed: UInt64, to bytes: inout [UInt8]) {
        switch self {
        case .sequential: UnitText.appendDecimal(index + 1, to: &bytes)
        case .uuid:
            UnitText.appendUUID(
                NumberedRandom.value(2 * index, seed: seed), NumberedRandom.value(2 * index + 1, seed: seed), to: &bytes
            )
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
