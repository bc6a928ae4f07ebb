import AllotConfiguration
import AllotCore
import AllotFiles

/// A change of one file of a definitions folder, which is examined in memory before it is written.
package struct DefinitionsEdit: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        package let isTemporary: Bool

        package init(_ description: String, isTemporary: Bool = false) {
            (self.description, self.isTemporary) = (description, isTemporary)
        }
    }

    package let folder: String
    package let oldBytes: [UInt8]
    /// The change in a few words, as the subject of a commit.
    package let message: String
    let source: DefinitionSource
    let sources: [DefinitionSource]
    /// The files to write: that of the definitions, and the manifest if the folder has one.
    private let outputs: [Output]

    init(_ old: DefinitionSource, to newBytes: [UInt8], in definitions: EditableDefinitions, message: String) {
        folder = definitions.folder
        oldBytes = old.bytes
        let source = DefinitionSource(name: old.name, bytes: newBytes)
        let sources = definitions.content.sources.map { $0.name == source.name ? source : $0 }
        (self.source, self.sources) = (source, sources)
        self.message = PrintableText(message, atMost: 200).description
        let manifest = definitions.content.manifest.map {
            Output(name: DefinitionsManifest.name, old: $0, new: DefinitionsManifest(sources).bytes)
        }
        outputs = [Output(name: old.name, old: old.bytes, new: newBytes), manifest].compactMap(\.self)
    }

    package var newBytes: [UInt8] { source.bytes }
    package var path: String { path(of: source.name) }
    /// The name of the file in its folder.
    package var name: String { source.name }
    /// The files to write, first that of the definitions, with their bytes before and after the change.
    package var files: [(name: String, old: [UInt8], new: [UInt8])] { outputs.map { ($0.name, $0.old, $0.new) } }
    /// The names of the files to write, first that of the definitions.
    package var names: [String] { outputs.map(\.name) }
    package var digests: [UInt8] { SHA256.digest(of: oldBytes) + SHA256.digest(of: newBytes) }
    package func path(of name: String) -> String { DefinitionsReading.shown(name, in: folder) }
}

// MARK: - Writing

extension DefinitionsEdit {
    private struct Output: Sendable {
        let name: String
        let old: [UInt8]
        let new: [UInt8]
    }

    private func has(_ bytes: [UInt8], in name: String) -> Bool {
        (try? FileDescriptor(openingFile: path(of: name), O_RDONLY).readToEnd(limit: bytes.count)) == bytes
    }

    private func write(_ bytes: [UInt8], to name: String) throws(FileError) {
        try AtomicOutput.write(bytes, to: path(of: name), rules: OutputRules(isDurable: true))
    }

    package func write() throws(Failure) { try write { () throws(Failure) -> Void in } }

    /// Writes the file, and the manifest if the folder has one, each whole and durably, and finishes the change; if
    /// that fails, the files get their old bytes back. Other processes of Allot do not write into the folder meanwhile,
    /// because this one has the folder's lock. A program that knows nothing of the lock can replace the file between
    /// the last comparison and the writing, which takes as long as a disk does: its file is then lost.
    package func write<Value>(then finish: () throws(Failure) -> Value) throws(Failure) -> Value {
        let lock: FileDescriptor
        do throws(SystemError) {
            lock = try FileDescriptor(opening: folder, O_RDONLY | O_DIRECTORY)
        } catch {
            throw Failure("cannot open \(folder): \(error)")
        }
        // Not all file systems support locks.
        guard (try? lock.lock()) != false else {
            throw Failure("another process writes into \(folder) at this moment; try again", isTemporary: true)
        }
        let outcome = Result { () throws(Failure) -> Value in try writeUnchanged(finish) }
        lock.unlock()
        return try outcome.get()
    }

    private func writeUnchanged<Value>(_ finish: () throws(Failure) -> Value) throws(Failure) -> Value {
        for output in outputs where !has(output.old, in: output.name) {
            throw Failure(
                "\(path(of: output.name)) was changed by another program meanwhile; look at it as it is now, and make "
                    + "the change again")
        }
        do throws(FileError) {
            for output in outputs { try write(output.new, to: output.name) }
        } catch {
            throw restored(after: Failure(error.description))
        }
        do throws(Failure) { return try finish() } catch { throw restored(after: error) }
    }

    private func restored(after failure: Failure) -> Failure {
        do throws(FileError) {
            for output in outputs where has(output.new, in: output.name) { try write(output.old, to: output.name) }
            return failure
        } catch { return Failure("\(failure); the change is in \(path) all the same, because \(error)") }
    }
}
