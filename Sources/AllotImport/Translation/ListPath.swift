import AllotConfiguration

extension String {
    /// Whether it asks a list for its length or for one of its elements, as a part of the path of an attribute.
    var asksList: Bool {
        self == "length" || !isEmpty && utf8.allSatisfy(\.isDigit)
    }
}
