/// Numbers for people.
enum FixedPoint {
    /// A number with so many decimals.
    static func text(_ value: Double, _ places: Int) -> String {
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((value * Double(scale)).rounded())
        return "\(scaled / scale).\(String(scale + scaled % scale).dropFirst())"
    }
}
