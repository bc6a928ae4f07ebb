/// Elements that are registered until they are removed by their numbers, such as subscribers. `Sendable`.
struct Registrations<Element: Sendable>: Sendable {
    private var elements: [Int: Element] = [:]
    private var lastNumber = 0
    var all: some Collection<Element> { elements.values }
    var isEmpty: Bool { elements.isEmpty }

    mutating func add(_ element: Element) -> Int {
        lastNumber += 1
        elements[lastNumber] = element
        return lastNumber
    }

    mutating func remove(_ number: Int) { elements[number] = nil }
    mutating func replace(_ number: Int, with element: Element) { elements[number] = element }
}
