import AllotConfiguration
public import Foundation

/// A store in user defaults, for apps that keep no files of their own, and for tvOS, which removes files when it needs
/// space.
///
/// Each record is a value of its own, under a key that begins with `allot.`; only files that settings name are kept in
/// the folder that ``FileStore`` has for the app or the suite. Apple's systems write values to disk at
/// a time of their own; elsewhere they are written before ``write(_:_:)`` returns. Apple's tvOS warns at 512 KB of user
/// defaults, and ends an app that has more than 1 MB: set ``ClientOptions/keptUsers`` to 0 there.
public struct UserDefaultsStore: ConfigurationStore {
    /// The maximal size of a record: that of the largest base, and `meta`.
    static let sizeLimit = 256 << 10

    private let suite: String?
    private let files: FileStore

    /// A store in the user defaults of the app, or in those of a suite, such as `group.com.example.shop`.
    public init(suite: String? = nil) {
        let app = suite ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        self.init(suite: suite, files: FileStore(app: app))
    }

    init(suite: String?, files: FileStore) { (self.suite, self.files) = (suite, files) }
    /// The folder that ``FileStore`` has for the app or the suite: exposures wait in files.
    public var exposureFolder: URL? { files.exposureFolder }

    /// The bytes of a record; `nil` if it does not exist. Complexity: O(*n*) in its size.
    public func read(_ record: StoreRecord) throws(StoreError) -> [UInt8]? {
        if record.isOfFiles { return try files.read(record) }
        let defaults = try defaults(or: .unreadable)
        let key = Self.key(record)
        if let data = defaults.data(forKey: key) { return Array(data) }
        guard defaults.object(forKey: key) == nil else {
            throw error(.unreadable, "the record \(record.kind.rawValue) is not data; remove it")
        }
        return nil
    }

    /// Replaces a record of at most 256 KiB, or 64 MiB if it is a file. Complexity: O(*n*) in its size.
    public func write(_ bytes: [UInt8], _ record: StoreRecord) throws(StoreError) {
        if record.isOfFiles { return try files.write(bytes, record) }
        guard bytes.count <= Self.sizeLimit else {
            throw error(
                .unwritable,
                "the record \(record.kind.rawValue) cannot be written: \(bytes.count) bytes are more than the limit of "
                    + "\(Self.sizeLimit); store less, or use a FileStore")
        }
        let defaults = try defaults(or: .unwritable)
        defaults.set(Data(bytes), forKey: Self.key(record))
        try save(defaults, record)
    }

    /// Removes a record, if it exists.
    public func remove(_ record: StoreRecord) throws(StoreError) {
        if record.isOfFiles { return try files.remove(record) }
        let defaults = try defaults(or: .unwritable)
        let key = Self.key(record)
        guard defaults.object(forKey: key) != nil else { return }
        defaults.removeObject(forKey: key)
        try save(defaults, record)
    }

    static func key(_ record: StoreRecord) -> String { "allot.\(StoreFileName.name(record))" }

    /// The defaults; opened for each use, because they are not `Sendable` everywhere.
    private func defaults(or kind: StoreError.Kind) throws(StoreError) -> UserDefaults {
        guard let suite else { return .standard }
        guard let defaults = UserDefaults(suiteName: suite) else {
            throw error(kind, "there is no such suite; choose another name than that of the app")
        }
        return defaults
    }

    private func save(_ defaults: UserDefaults, _ record: StoreRecord) throws(StoreError) {
        #if !canImport(Darwin)
            guard defaults.synchronize() else {
                throw error(
                    .unwritable,
                    "the record \(record.kind.rawValue) cannot be stored on disk; let the app write to its home folder")
            }
        #endif
    }

    private func error(_ kind: StoreError.Kind, _ problem: String) -> StoreError {
        let place = suite.map { " of \(PrintableText($0))" } ?? ""
        return StoreError(kind, "the user defaults\(place): \(problem)")
    }
}
