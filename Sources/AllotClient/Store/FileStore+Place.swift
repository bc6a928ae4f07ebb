import Foundation

extension FileStore {
    /// A store where the platform keeps an app's data: on Apple's platforms in Application Support (on tvOS, which has
    /// none that lasts, in Caches), elsewhere in `XDG_DATA_HOME` or `~/.local/share`; there in `NAME/configuration`.
    ///
    /// - Parameter app: the app's name or bundle identifier; "/", and "." at its start, are escaped as in URLs.
    public convenience init(app: String) {
        #if os(tvOS)
            let place = FileManager.SearchPathDirectory.cachesDirectory
        #else
            let place = FileManager.SearchPathDirectory.applicationSupportDirectory
        #endif
        let base = FileManager.default.urls(for: place, in: .userDomainMask).first ?? URL(filePath: NSHomeDirectory())
        self.init(
            folder: base.appending(component: Self.folderName(app), directoryHint: .isDirectory)
                .appending(component: "configuration", directoryHint: .isDirectory))
    }

    /// A name of one folder for any text.
    static func folderName(_ app: String) -> String {
        var name = ""
        for scalar in app.unicodeScalars {
            switch scalar {
            case "/", "%", "\0": name += StoreFileName.escaped(String(scalar))
            case "." where name.isEmpty: name += StoreFileName.escaped(".")
            default: name.unicodeScalars.append(scalar)
            }
        }
        return name.isEmpty ? "%" : name
    }
}
