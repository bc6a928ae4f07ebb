import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles
import AllotGit
import ArgumentParser

/// The names of definitions that a shell offers for an argument.
enum DefinitionsCompletion {
    case experiments, layers, holdouts, owners, settings
    /// The variants of the experiments that the command line names, or of all.
    case variants
    /// These variants with the sign before a share, `green=`, once each in a list with commas.
    case shares
    /// An experiment with the sign before its variant, and then its variants: `button=green`.
    case assignments

    /// The names in the folder that the words of a command line choose; none if its definitions cannot be loaded.
    func names(for words: [String], typed: String = "") -> [String] {
        let words = words.map { $0.filter { !"'\"\\".contains($0) } }
        guard let place = try? DefinitionsPlace(Self.folder(in: words)),
            let definitions = try? DefinitionsLoader(now: .now, limits: DefinitionLimits()).load(place).definitions
        else { return [] }
        // A name on several lines would be several names, and other control characters are for terminals.
        return names(in: definitions, for: words, typed: typed).filter { PrintableText(line: $0).description == $0 }
    }

    private func names(in definitions: Definitions, for words: [String], typed: String) -> [String] {
        switch self {
        case .experiments: return definitions.experiments.map(\.key)
        case .layers: return definitions.layers.map(\.name)
        case .holdouts: return definitions.holdouts.map(\.name)
        case .owners: return Set(definitions.experiments.compactMap(\.owner)).sorted()
        case .settings: return Set(definitions.settings.map(\.section)).sorted() + definitions.settings.map(\.path)
        case .variants:
            let named = definitions.experiments.filter { words.contains($0.key) }
            let experiments = named.isEmpty ? definitions.experiments : named
            return Set(experiments.flatMap(\.variants).map(\.key)).sorted()
        case .shares:
            let items = typed.split(separator: ",", omittingEmptySubsequences: false)
            if items.last?.contains("=") ?? false { return [] }
            let beginning = items.dropLast().map { $0 + "," }.joined()
            return Self.variants.names(in: definitions, for: words, typed: "").map { $0 + "=" }
                .filter { name in !items.contains { $0.hasPrefix(name) } }.map { beginning + $0 }
        case .assignments:
            guard let (key, _) = typed.namedValue else { return definitions.experiments.map { $0.key + "=" } }
            return definitions.experiments.first { $0.key == key }?.variants.map { "\(key)=\($0.key)" } ?? []
        }
    }

    /// The folder of the last `--definitions` or `-d`, of the environment, or the default.
    static func folder(in words: [String]) -> String {
        var folder: String?
        for (index, word) in words.enumerated() {
            if ["--definitions", "-d"].contains(word), index + 1 < words.count { folder = words[index + 1] }
            if word.hasPrefix("--definitions=") { folder = String(word.dropFirst("--definitions=".count)) }
        }
        return folder ?? FolderOptions.standard
    }
}

extension CompletionKind {
    static func names(of kind: DefinitionsCompletion) -> CompletionKind {
        let complete: @Sendable ([String], Int, String) -> [String] = { kind.names(for: $0, typed: $2) }
        return .custom(complete)
    }
}

/// The script that completes command lines in bash.
enum BashCompletion {
    /// Adds to the parser's script what it lacks in bash. Returns `nil` for any other text.
    static func script(from text: String) -> String? {
        let wholeWords = String(decoding: PackageResources.completion_bash.dropLast(), as: UTF8.self)
        return text.hasPrefix("#!/bin/bash\n") ? "\(text)\n\n\(wholeWords)" : nil
    }
}
