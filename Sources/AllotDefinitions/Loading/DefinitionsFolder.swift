import Foundation

/// A file of a definitions folder that cannot be read.
struct UnreadFile: Sendable {
    let name: String
    /// The reason, and the fix.
    let message: String
}

/// The files of a definitions folder.
enum DefinitionsFolder {
    /// The endings that are read.
    static let endings = ["yaml", "yml", "json"]

    /// The content of a folder, in the order of the files' names.
    struct Content: Sendable {
        var sources: [DefinitionSource] = []
        var unread: [UnreadFile] = []
        /// The names of files that would be read if their endings were in lower case.
        var misnamed: [String] = []
    }

    /// Why a file cannot be read.
    private struct Failure: Error {
        let message: String
    }

    /// Reads the sources of a folder. Sub-folders, hidden files and files with other endings are ignored.
    static func read(_ folder: String, limits: DefinitionLimits) throws(DefinitionsError) -> Content {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw .folder(path: folder, reason: reason(ofFolder: folder))
        }
        var content = Content()
        for name in names where !name.hasPrefix(".") {
            let ending = (name as NSString).pathExtension
            guard endings.contains(ending) else {
                if endings.contains(ending.lowercased()) { content.misnamed.append(name) }
                continue
            }
            do throws(Failure) {
                guard let bytes = try bytes((folder as NSString).appendingPathComponent(name), limits) else { continue }
                content.sources.append(DefinitionSource(name: name, bytes: bytes))
            } catch {
                content.unread.append(UnreadFile(name: name, message: error.message))
            }
        }
        return content
    }

    /// The content of a regular file, up to one byte more than is allowed; `nil` for a folder.
    private static func bytes(_ path: String, _ limits: DefinitionLimits) throws(Failure) -> [UInt8]? {
        // The status comes before opening, because a sub-folder without read permission is not an error.
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(errno, path) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return nil
        case S_IFREG: break
        default:
            throw Failure(message: "this is not a regular file and is not read; remove it, or give it another ending")
        }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno, path) }
        do {
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            return Array(try file.read(upToCount: limits.fileBytes + 1) ?? Data())
        } catch {
            throw Failure(message: "the file cannot be read (\(error.localizedDescription)); fix or remove it")
        }
    }

    private static func failure(_ code: Int32, _ path: String) -> Failure {
        let message =
            switch code {
            case ENOENT where path.unicodeScalars.contains("\u{FFFD}"): "the file's name is not UTF-8; rename it"
            case ENOENT: "this symbolic link points to nothing; fix or remove it"
            case ELOOP: "this is a symbolic link loop; fix or remove it"
            case EACCES: "the file may not be read (permission denied); allow it, or remove the file"
            default: "the file cannot be read (\(String(cString: strerror(code)))); fix or remove it"
            }
        return Failure(message: message)
    }

    private static func reason(ofFolder folder: String) -> String {
        guard let directory = opendir(folder) else { return String(cString: strerror(errno)) }
        closedir(directory)
        return "its files cannot be listed"
    }
}
