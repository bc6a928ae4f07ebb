import ArgumentParser

extension Option {
    /// An option with a number, which may be negative.
    init<Number>(
        number name: String, _ text: String, _ transform: @Sendable @escaping (String) throws -> Number
    ) where Value == Number? {
        self.init(parsing: .unconditional, help: .value(name, text), transform: transform)
    }
}
