import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotGit
import ArgumentParser

/// The names of definitions that a shell offers for an argument.
enum DefinitionsCompletion {
    case experiments
    case layers
    case holdouts
    case owners
    /// The settings and their sections.
    case settings
    /// The variants of the experiments that the command line names, or of all.
    case variants
    /// These variants with the sign before a share: `green=`.
    case shares

    /// The names in the folder that the words of a command line choose; none if its definitions cannot be loaded.
    func names(for words: [String]) -> [String] {
        let words = Self.unsplit(words)
        guard let place = try? DefinitionsPlace(Self.folder(in: words)),
            let definitions = try? DefinitionsLoader(now: .now, limits: DefinitionLimits()).load(place).definitions
        else { return [] }
        // A name on several lines would be several names, and other control characters are for terminals.
        return names(in: definitions, for: words).filter { PrintableText(line: $0).description == $0 }
    }

    private func names(in definitions: Definitions, for words: [String]) -> [String] {
        switch self {
        case .experiments: return definitions.experiments.map(\.key)
        case .layers: return definitions.layers.map(\.name)
        case .holdouts: return definitions.holdouts.map(\.name)
        case .owners: return Set(definitions.experiments.compactMap(\.owner)).sorted()
        case .settings: return Set(definitions.settings.map(\.section)).sorted() + definitions.settings.map(\.path)
        case .variants, .shares:
            let named = definitions.experiments.filter { words.contains($0.key) }
            let experiments = named.isEmpty ? definitions.experiments : named
            let keys = Set(experiments.flatMap(\.variants).map(\.key)).sorted()
            return self == .shares ? keys.map { $0 + "=" } : keys
        }
    }

    /// The folder of the last `--definitions` or `-d`, of the environment, or the default.
    private static func folder(in words: [String]) -> String {
        var folder: String?
        for (index, word) in words.enumerated() {
            if ["--definitions", "-d"].contains(word), index + 1 < words.count { folder = words[index + 1] }
            if word.hasPrefix("--definitions=") { folder = String(word.dropFirst("--definitions=".count)) }
        }
        let variable = getenv("ALLOT_DEFINITIONS").map { String(cString: $0) } ?? ""
        return folder ?? (variable.isEmpty ? DefinitionsLoader.defaultFolder : variable)
    }

    /// The words without quotes, and in one piece: bash makes three of `--definitions=a` and of `main:a`.
    private static func unsplit(_ words: [String]) -> [String] {
        var whole: [String] = []
        var joins = false
        for word in words {
            let isSign = word == "=" || word == ":"
            let plain = word.filter { !"'\"\\".contains($0) }
            if joins || isSign, let last = whole.popLast() { whole.append(last + plain) } else { whole.append(plain) }
            joins = isSign
        }
        return whole
    }
}

extension CompletionKind {
    /// Completes the names of definitions.
    static func names(of kind: DefinitionsCompletion) -> CompletionKind {
        let complete: @Sendable ([String], Int, String) -> [String] = { words, _, _ in kind.names(for: words) }
        return .custom(complete)
    }
}
