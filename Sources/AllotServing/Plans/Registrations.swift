/// Elements that are registered until they are removed by their numbers, such as subscribers. `Sendable`.
package struct Registrations<Element: Sendable>: Sendable {
    private var elements: [Int: Element] = [:]
    private var lastNumber = 0

    package init() {}

    /// All elements, in no particular order.
    package var all: some Collection<Element> { elements.values }

    package var isEmpty: Bool { elements.isEmpty }

    package mutating func add(_ element: Element) -> Int {
        lastNumber += 1
        elements[lastNumber] = element
        return lastNumber
    }

    package mutating func remove(_ number: Int) { elements[number] = nil }

    /// Changes the element with a number, unless it was removed.
    package mutating func update(_ number: Int, _ change: (inout Element) -> Void) {
        guard var element = elements[number] else { return }
        change(&element)
        elements[number] = element
    }
}
