/// Addresses such as `maria.garcia17@example.com`: few first names, last names and domains, so that most of an address
/// is shared with many others.
enum EmailNames {
    private static let firstNames = names(
        """
        maria james fatima wei olga john ana yuki peter aisha david sofia ali emma lucas mia noah ivan chloe omar \
        lena tom nina paul zara max eva leo ines adam rosa karl
        """)
    private static let lastNames = names(
        """
        garcia smith khan wang ivanova miller silva tanaka muller diallo brown rossi haddad jones novak lee dubois \
        kim jensen costa patel weber nguyen moreau fischer lopez martin okafor berg kaya horvat fox
        """)
    private static let domains = names("example.com example.org mail.example.net shop.example")

    private static func names(_ text: String) -> [[UInt8]] { text.split(separator: " ").map { Array($0.utf8) } }

    /// Number and names together tell every index apart.
    static func append(_ index: Int, seed: UInt64, to bytes: inout [UInt8]) {
        let pairs = firstNames.count * lastNames.count
        let (number, place) = index.quotientAndRemainder(dividingBy: pairs)
        let shift = Int(NumberedRandom.value(number, seed: seed) % UInt64(pairs))
        // An odd factor and a power of two: each pair of names comes once for a number.
        let pair = (place * 389 + shift) % pairs
        bytes += firstNames[pair / lastNames.count]
        bytes.append(UInt8(ascii: "."))
        bytes += lastNames[pair % lastNames.count]
        bytes += String(number + 1).utf8
        bytes.append(UInt8(ascii: "@"))
        bytes += domains[Int(NumberedRandom.value(index, seed: ~seed) % UInt64(domains.count))]
    }
}

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
        for digit in String(index).utf8 { bytes += script.digits[Int(digit - UInt8(ascii: "0"))] }
    }
}
