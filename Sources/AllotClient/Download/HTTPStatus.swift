/// What the statuses of HTTP mean for who asked.
enum HTTPStatus {
    /// Whether asking again may help: the server is busy (408, 425, 429), or failed (5xx, but not 501 and 505, which say that
    /// it never will).
    static func isTemporary(_ status: Int) -> Bool {
        [408, 425, 429].contains(status) || (500...599).contains(status) && ![501, 505].contains(status)
    }
}
