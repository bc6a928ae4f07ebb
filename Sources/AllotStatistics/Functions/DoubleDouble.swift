import RealModule

/// An unevaluated sum of two doubles, good for about 31 digits.
///
/// Differences of counts and expected counts are taken in it, because the counts may agree in nearly all digits. The
/// algorithms are Dekker's and Knuth's (T. J. Dekker, "A floating-point technique for extending the available
/// precision", 1971), with a fused multiply-add for exact products.
struct DoubleDouble: Sendable, Hashable {
    private let high: Double
    private let low: Double

    var value: Double { high }

    init(_ value: Double) { (high, low) = (value, 0) }

    init(_ value: Int) {
        let half = Double(value >> 32) * 0x1p32
        self.init(sumOf: half, Double(value & 0xffff_ffff))
    }

    private init(sumOf first: Double, _ second: Double) {
        high = first + second
        let part = high - first
        low = (first - (high - part)) + (second - part)
    }

    static func + (left: Self, right: Self) -> Self {
        let sum = Self(sumOf: left.high, right.high)
        let rest = Self(sumOf: left.low, right.low)
        let first = Self(sumOf: sum.high, sum.low + rest.high)
        return Self(sumOf: first.high, first.low + rest.low)
    }

    static func - (left: Self, right: Self) -> Self { left + -right }

    static prefix func - (operand: Self) -> Self { Self(sumOf: -operand.high, -operand.low) }

    static func * (left: Self, right: Self) -> Self {
        let product = left.high * right.high
        let error = (-product).addingProduct(left.high, right.high)
        return Self(sumOf: product, error + (left.high * right.low + left.low * right.high))
    }
}
