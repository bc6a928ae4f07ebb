import TestSupport

/// Random bytes that are rich in what makes CSV hard.
enum NastyCSV {
    /// How likely quotes and the like are.
    enum Style: CaseIterable {
        case wild, quoted, tame, plain
    }

    static func bytes(using generator: inout SeededGenerator, style: Style, length: Int) -> [UInt8] {
        let pieces: [[UInt8]] =
            switch style {
            case .wild:
                ["a", ",", "\"", "\r", "\n", "\r\n", "\t", "é", "\"\"", ",\"", "\",", "\"\n", "𝄞", "b, c"].map {
                    Array($0.utf8)
                } + [[0xFF], [0xC3], [0xE2, 0x82], [0x00], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98]]
            case .quoted:
                ["\"a\",", "\"\"", ",\"", "\",", "\"\n", "\"\r\n", "x", ",", "\n", "é"].map { Array($0.utf8) }
            case .tame:
                ["abc", "longer text without anything", ",", ",", "\n", "\r\n", "é", "\"q, \"\"\",", "\n\n"].map {
                    Array($0.utf8)
                }
            case .plain:
                ["abc", "longer text without anything", ",", ",", "\n", "x,y\n", ",\n"].map { Array($0.utf8) }
            }
        var result: [UInt8] = []
        while result.count < length { result += pieces.randomElement(using: &generator) ?? [] }
        return result
    }
}
