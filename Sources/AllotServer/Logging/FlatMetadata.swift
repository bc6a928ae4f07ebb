import Logging

/// Metadata without nested dictionaries: `["request": ["id": 7]]` is `request.id`. Sorted by key.
///
/// Where two come to the same key, the one that was less deep counts.
struct FlatMetadata: Sendable {
    let entries: [(key: String, value: Logger.MetadataValue)]

    init(_ metadata: Logger.Metadata) {
        guard !metadata.isEmpty else {
            entries = []
            return
        }
        var flat = Logger.Metadata(minimumCapacity: metadata.count)
        Self.add(metadata, prefix: "", to: &flat)
        entries = flat.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    }

    private static func add(_ metadata: Logger.Metadata, prefix: String, to flat: inout Logger.Metadata) {
        var nested: [(key: String, members: Logger.Metadata)] = []
        for (key, value) in metadata {
            if case .dictionary(let members) = value, !members.isEmpty {
                nested.append((prefix + key, members))
            } else if flat[prefix + key] == nil {
                flat[prefix + key] = value
            }
        }
        // In order: the order of a dictionary differs from run to run.
        for (key, members) in nested.sorted(by: { $0.key < $1.key }) { add(members, prefix: key + ".", to: &flat) }
    }
}
