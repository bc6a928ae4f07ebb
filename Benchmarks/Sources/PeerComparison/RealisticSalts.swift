import Allot

/// Salts as people choose them: numbered names, dates, words, and the numbers that databases give.
public enum RealisticSalts {
    /// All of them, each once.
    public static let all: [Salt] = texts.compactMap(Salt.init)

    private static let texts =
        (1...20).map { "exp-\($0)" } + months + words + (1...4).map { "\($0)" }
        + (1...4).map { "188678072\($0)" }

    private static let months = (1...12).map { "2026-\($0 < 10 ? "0" : "")\($0)-01" }

    private static let words = [
        "checkout-button", "checkout-button-2", "checkout_button", "checkout-banner", "new-onboarding", "pricing-page",
        "search-ranking-v1", "search-ranking-v2", "free-shipping", "dark-mode",
    ]
}
