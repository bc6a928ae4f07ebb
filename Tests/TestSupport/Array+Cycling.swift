extension Array {
    /// As many elements as are wanted: these, and again from the first one. For tests of pairs that need not be
    /// tested in all combinations.
    package func cycled(to count: Int) -> [Element] {
        (0..<count).map { self[$0 % self.count] }
    }
}
