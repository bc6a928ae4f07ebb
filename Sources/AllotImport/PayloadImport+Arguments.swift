import AllotBatch
import AllotConfiguration
import AllotCore
import AllotDefinitions
import AllotFiles

/// A command line of `allot import` that is incomplete or wrong. `Sendable`.
package struct ImportUsageError: Error, Sendable, CustomStringConvertible {
    package let description: String
}

extension PayloadImport {
    /// Reads the options of the command.
    ///
    /// - Parameter units: Pairs of names, such as `id=user_id`.
    package init(
        of system: ImportSystem?, section: String, units: [String], key: String?, fractional: FlagdHash?,
        withoutSticky: Bool, exactText: Bool, skipsInexact: Bool
    ) throws(ImportUsageError) {
        guard let system else {
            throw ImportUsageError(
                description: "Name the system, its payload and the new folder (-o), or a file with --verify.")
        }
        self.init(of: system)
        guard !section.isEmpty, !section.contains(".") else {
            throw ImportUsageError(description: "A section's name is not empty and contains no \".\".")
        }
        self.section = section
        attributes = try Self.names(units, of: "--unit", example: "id=user_id")
        self.key = key
        guard fractional == nil || system == .flagd else {
            throw ImportUsageError(description: "--fractional is for flagd only; leave it out.")
        }
        if let fractional { flagdHash = fractional }
        guard system == .growthbook || !withoutSticky && !exactText else {
            throw ImportUsageError(
                description: "--without-sticky and --exact-text are for growthbook only; leave them out.")
        }
        (hasStickyBuckets, keepsExactText) = (!withoutSticky, exactText)
        self.skipsInexact = skipsInexact
    }

    /// The names on both sides of each "=".
    fileprivate static func names(
        _ pairs: [String], of option: String, example: String
    ) throws(ImportUsageError) -> [String: String] {
        var names: [String: String] = [:]
        for pair in pairs {
            guard let (name, value) = pair.namedValue, !value.isEmpty,
                names.updateValue(value, forKey: name) == nil
            else {
                throw ImportUsageError(
                    description: "\(option) takes two names, such as \(example), each once, not \(QuotedText(pair)).")
            }
        }
        return names
    }

    /// Reads a payload, and writes its definitions into a folder if there are any.
    package func run(_ payload: String?, output: String?) throws -> ImportedDefinitions {
        guard let payload, let output else {
            throw ImportUsageError(description: "Name the payload (- is standard input) and the new folder (-o).")
        }
        let file = try InputFile(path: payload)
        let bytes = try file.readAll(limit: .max) ?? []
        let imported: ImportedDefinitions
        do throws(ImportError) {
            imported = try definitions(from: bytes)
        } catch {
            guard case .inexact(let problems) = error else { throw error }
            throw ImportOutputError(
                description: "\(counted(problems.count, "flag")) cannot be imported exactly (--skip-inexact leaves "
                    + "\(problems.count == 1 ? "it" : "them") out):\n\(error)")
        }
        if imported.report.importedCount > 0 { try imported.write(to: output) }
        return imported
    }
}

extension VerificationReport {
    /// Compares a file with what definitions assign.
    ///
    /// - Parameters:
    ///   - units: Pairs of names, such as `id=user_id`: the file's column, and the attribute that it is.
    ///   - columns: Pairs of names, such as `variant=group`: what a column holds, and its name.
    ///   - nullWords: Texts that stand for a missing value, such as `NULL`.
    ///   - delimiter: The character between two fields of the file.
    ///   - progress: Receives the number of bytes of the file that have been processed.
    package init(
        of path: String, _ definitions: LoadedDefinitions, at instant: Instant, units: [String], columns: [String],
        nullWords: [String], delimiter: CSVDelimiter = .comma, progress: (@Sendable (_ bytesDone: Int) -> Void)? = nil
    ) throws {
        var verification = BatchVerification(plan: definitions.plan, instant: instant)
        verification.nullWords = nullWords
        verification.delimiter = delimiter
        verification.key = NameTable.valid
        for experiment in definitions.definitions.experiments {
            verification.otherNames[experiment.key] = experiment.description
        }
        for (column, attribute) in try PayloadImport.names(units, of: "--unit", example: "id=user_id") {
            guard verification.attributeColumns.updateValue(column, forKey: attribute) == nil else {
                throw ImportUsageError(description: "--unit names two columns for \(QuotedText(attribute)).")
            }
        }
        for (content, column) in try PayloadImport.names(columns, of: "--column", example: "variant=group") {
            switch content {
            case "experiment": verification.experimentColumn = column
            case "variant": verification.variantColumn = column
            case "time": verification.timeColumn = column
            default:
                throw ImportUsageError(
                    description: "--column is for experiment, variant or time, not for \(QuotedText(content)).")
            }
        }
        self.init(try verification.run(InputFile(path: path), progress: progress))
    }
}
