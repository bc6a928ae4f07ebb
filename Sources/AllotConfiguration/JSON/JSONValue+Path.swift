extension JSONValue {
    /// The value at a path of members. Returns `nil` if there is none.
    package subscript(path: some Sequence<String>) -> JSONValue? {
        path.reduce(Optional(self)) { value, key in value?.asObject?[key] }
    }
}
