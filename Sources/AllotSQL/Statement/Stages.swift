/// The steps from a table's columns to buckets, filled as decisions ask for columns.
struct Stages {
    /// Attributes as text.
    var attributes = Stage("allot_attributes", "Unit IDs and attributes as text. What is empty is missing.")
    /// Text in its grammar.
    var readings = Stage(
        "allot_readings", "Unit IDs of 1 to 1024 bytes, and text that reads as a number, a version or an instant.")
    /// Hashes, and the parts of versions and instants.
    var digests = Stage("allot_digests", "One SHA-256 of salt, \":\" and unit ID for each salt.")
    /// Buckets, and what parts come to.
    var buckets = Stage(
        "allot_buckets", "Buckets: 40 bits of the hash, big-endian, times 1000000, shifted right by 40.")

    /// Those that have anything to do.
    var used: [Stage] {
        [attributes, readings, digests, buckets].filter { !$0.columns.isEmpty }
    }
}
