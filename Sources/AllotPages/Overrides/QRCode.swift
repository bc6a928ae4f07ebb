import CQREncode

/// A QR code (ISO/IEC 18004) of a text, made with libqrencode.
package struct QRCode: Sendable {
    package let width: Int
    /// Whether each module is dark, row by row.
    package let modules: [Bool]

    /// Encodes a text. Returns `nil` if it is empty, or longer than a QR code can be: 2,953 bytes.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        // As much correction as there is room for, up to the middle level: pictures on screens are hardly damaged.
        guard !bytes.isEmpty,
            let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
                ?? QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_L)
        else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        modules = (0..<width * width).map { code.pointee.data[$0] & 1 == 1 }
    }

    /// The code as SVG, dark on light whatever the page's colours, with the margin of 4 modules that readers need.
    ///
    /// - Parameter description: what people hear who do not see it; harmless as HTML.
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
        return "<svg class=\"code\" role=\"img\" aria-label=\"\(PageText.escaped(description))\" "
            + "viewBox=\"0 0 \(size) \(size)\" width=\"\(size * 4)\" shape-rendering=\"crispEdges\">"
            + "<rect width=\"\(size)\" height=\"\(size)\" fill=\"#fff\"/><path fill=\"#000\" d=\"\(path)\"/></svg>"
    }
}
