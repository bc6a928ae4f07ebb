/// Unit IDs with other than ASCII characters: words of many scripts, emoji, and one word in both of Unicode's normal
/// forms, which are two units; a number in digits of the script tells all of them apart.
enum ScriptNames {
    private struct Script {
        let word: [UInt8]
        let digits: [[UInt8]]

        init(_ word: String, zero: Unicode.Scalar = "0") {
            self.word = Array(word.utf8)
            digits = (0..<10).compactMap { digit in
                Unicode.Scalar(zero.value + digit).map { Array(String(Character($0)).utf8) }
            }
        }
    }

    private static let scripts = [
        Script("Zo\u{EB}-"), Script("Zoe\u{308}-"), Script("müller_"), Script("Łukasz."), Script("İpek"),
        Script("пользователь"), Script("Χρήστος#"), Script("משתמש-"), Script("مستخدم", zero: "\u{660}"),
        Script("उपयोगकर्ता", zero: "\u{966}"), Script("ผู้ใช้", zero: "\u{E50}"),
        Script("用户"), Script("ユーザー", zero: "\u{FF10}"), Script("사용자:"), Script("🦊"), Script("👩🏽‍💻/"),
    ]

    static func append(_ index: Int, seed: UInt64, to bytes: inout [UInt8]) {
        let script = scripts[Int(NumberedRandom.value(index, seed: seed) % UInt64(scripts.count))]
        bytes += script.word
        var divisor = 1
        while index / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            bytes += script.digits[index / divisor % 10]
            divisor /= 10
        }
    }
}
