import AllotConfiguration

extension SettingsSource {
    /// What is wrong with a file that should have this source, and the command that fixes it; `nil` if nothing is.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - bytes: Its content; `nil` if it cannot be read.
    ///   - definitions: The folder of definitions; `nil` for the default.
    package func problem(of path: String, _ bytes: [UInt8]?, definitions: String?) -> String? {
        let problem =
            if let bytes {
                firstDifference(from: bytes).map { "\(path) does not match the definitions from line \($0) on" }
            } else { "cannot read \(path)" as String? }
        guard let problem else { return nil }
        // The options of this command, which writes the file without --check.
        var words = ["allot", "generate", "swift"]
        if let definitions { words += ["--definitions", definitions] }
        if access != .internal { words += ["--access", access.rawValue] }
        let command = (words + ["--output", path]).map { $0.shellWord(where: Self.isPlain) }.joined(separator: " ")
        return "\(problem); generate it with: \(command)"
    }

    /// Whether shells read a character as it is.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "/._-+@%:".unicodeScalars.contains(scalar)
    }

    /// The help of `allot generate`.
    package static let help = """
        The source has one type for each section of the base, with a typed property for each setting: its default \
        is the base value, its constraints are those of the base. It also has the keys and variants of the \
        experiments as constants, so that a tester can choose a variant on a device. If a setting is renamed or \
        removed, the app no longer compiles.

        The same definitions give the same bytes. --check is for continuous integration: it writes nothing and \
        exits with 1 if the file differs from the source that would be generated. A different revision alone does \
        not count, since experiments change more often than the part of them that an app can see.

        EXAMPLES
          allot generate swift --output Sources/App/ShopSettings.swift
          allot generate swift --check Sources/App/ShopSettings.swift
          allot generate swift --definitions Experiments --access public
        """
}
