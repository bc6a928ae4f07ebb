/// A QR code (ISO/IEC 18004) of bytes at level L, the lowest one of correction, which has the most room: pictures on
/// screens are hardly damaged.
package struct QRCode: Sendable {
    package let width: Int
    /// Whether each module is dark, row by row.
    package let modules: [Bool]

    package static let limit = 2953

    /// Encodes bytes. Returns `nil` if there are none, or more than ``limit``.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, let version = QRCodeVersion(roomFor: bytes.count) else { return nil }
        width = version.width
        modules = QRCodeMatrix(version, version.codewords(of: bytes)).masked()
    }

    /// Encodes a text. Returns `nil` if it is empty, or longer than ``limit``.
    package init?(_ text: String) { self.init(Array(text.utf8)) }

    /// The code as SVG, dark on light whatever the page's colours, with the margin of 4 modules that readers need.
    package func svg(_ description: String) -> String {
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                let length = modules[(row * width + column)..<((row + 1) * width)].prefix { $0 }.count
                if length > 0 { path += "M\(column + 4) \(row + 4)h\(length)v1h-\(length)z" }
                column += max(length, 1)
            }
        }
        let size = width + 8
        return "<svg class=\"code\" role=\"img\" viewBox=\"0 0 \(size) \(size)\" width=\"\(size * 4)\" "
            + "xmlns=\"http://www.w3.org/2000/svg\" shape-rendering=\"crispEdges\">"
            + "<title>\(HTMLText.escaped(description))</title>"
            + "<rect width=\"\(size)\" height=\"\(size)\" fill=\"#fff\"/><path fill=\"#000\" d=\"\(path)\"/></svg>"
    }
}
