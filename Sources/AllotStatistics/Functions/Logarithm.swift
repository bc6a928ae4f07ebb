import RealModule

/// Arithmetic of probabilities that are held as logarithms.
enum Logarithm {
    /// log(1 - *p*) of log *p*.
    ///
    /// By M. Mächler, "Accurately computing log(1 - exp(-|a|))" (2012).
    static func complement(_ logarithm: Double) -> Double {
        guard logarithm < 0 else { return -.infinity }
        return logarithm > -0.6931 ? .log(-.expMinusOne(logarithm)) : .log(onePlus: -.exp(logarithm))
    }

    /// log(*p* + *q*) of log *p* and log *q*.
    static func sum(_ first: Double, _ second: Double) -> Double {
        let (less, more) = first < second ? (first, second) : (second, first)
        return less == -.infinity ? more : more + .log(onePlus: .exp(less - more))
    }
}
