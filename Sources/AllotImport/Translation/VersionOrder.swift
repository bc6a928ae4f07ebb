/// How a version stands to the literal of a condition.
enum VersionOrder: CaseIterable {
    case less, equal, greater
}
