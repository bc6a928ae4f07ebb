/// What is wrong with a file that SQLite reads without an error.
struct SQLiteDamage: Error {
    let what: String

    init(_ what: String) {
        self.what = what
    }
}
