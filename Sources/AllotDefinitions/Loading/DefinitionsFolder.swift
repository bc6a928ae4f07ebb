import Foundation

/// The files of a definitions folder.
enum DefinitionsFolder {
    /// The endings that are read.
    static let endings = ["yaml", "yml", "json"]

    /// The sources of a folder in the order of their names, and the files that cannot be read.
    ///
    /// Sub-folders, hidden files and files with other endings are left alone.
    static func read(_ folder: String, limits: DefinitionLimits) throws(DefinitionsError) -> (
        sources: [DefinitionSource], problems: [Problem]
    ) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw .folder(path: folder, reason: reason(error))
        }
        var sources: [DefinitionSource] = []
        var problems: [Problem] = []
        for name in names where !name.hasPrefix(".") && endings.contains((name as NSString).pathExtension) {
            let path = (folder as NSString).appendingPathComponent(name)
            do {
                // A named pipe would be waited on for ever, and a folder is left alone.
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
                if attributes[.type] as? FileAttributeType == .typeDirectory { continue }
                guard attributes[.type] as? FileAttributeType == .typeRegular else {
                    let message = "this is not a regular file and is not read; remove it, or give it another ending"
                    problems.append(problem(path, message))
                    continue
                }
                if let size = attributes[.size] as? Int, size > limits.fileBytes {
                    problems.append(problem(path, "the file has \(size) bytes; at most \(limits.fileBytes) are read"))
                    continue
                }
                sources.append(DefinitionSource(name: name, bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path)))))
            } catch {
                problems.append(problem(path, "the file cannot be read: \(reason(error)); mend or remove it"))
            }
        }
        return (sources, problems)
    }

    private static func problem(_ path: String, _ message: String) -> Problem {
        Problem(severity: .error, file: path, position: nil, message: message, path: nil)
    }

    /// What the system says, rather than what Foundation makes of it.
    private static func reason(_ error: any Error) -> String {
        var current = error as NSError
        while let cause = current.userInfo[NSUnderlyingErrorKey] as? NSError { current = cause }
        if current.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(current.code))) }
        switch CocoaError.Code(rawValue: current.code) {
        case .fileReadNoSuchFile, .fileNoSuchFile: return "No such file or directory"
        case .fileReadNoPermission: return "Permission denied"
        default: return current.localizedDescription
        }
    }
}
