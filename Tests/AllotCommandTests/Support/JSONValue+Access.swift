import AllotConfiguration

extension JSONValue {
    var members: [(key: String, value: JSONValue)] {
        guard case .object(let object) = self else { return [] }
        return object.members.map { ($0.key, $0.value) }
    }

    subscript(name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }

    subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}
