import AllotConfiguration

import struct Foundation.URL

/// The page with the read-out of the device: as text, as a link and as a QR code.
struct ReadoutPage {
    private let readout: DeviceReadout
    private let server: URL?

    init(_ sheet: SettingsSheet) {
        readout = sheet.readout
        server = sheet.server
    }

    var html: String {
        SheetFrame.html(
            "Read-out of this device",
            """
            <p><a href="./">To the settings</a></p>
            \(list("Modifications", readout.modifications))
            \(list("Variants", readout.variants))
            \(list("All values", readout.settings))
            <h2>Link</h2>
            \(link)
            <h2>QR code</h2>
            \(code)
            """)
    }

    private func list(_ title: String, _ values: JSONObject) -> String {
        let lines = values.members.map { member in
            PrintableText("\(member.key)=\(member.value.canonicalText)", atMost: .max).description
        }
        return "<h2>\(title)</h2>\n" + block(title, lines.isEmpty ? "none" : lines.joined(separator: "\n"))
    }

    private func block(_ title: String, _ text: String) -> String {
        #"<pre tabindex="0" role="region" aria-label="\#(title)">"# + "\n\(HTMLText.escaped(text))</pre>"
    }

    private func address(_ readout: DeviceReadout) -> String {
        readout.link(server: server?.absoluteString)
    }

    private var link: String {
        var text = address(readout)
        var remark = ""
        if text.utf8.count > DeviceReadout.limit {
            text = address(readout.short)
            remark = "<p>All values are too long for a link; it has the modifications and variants only.</p>\n"
        }
        // Only programs read a link without a server.
        let isWeb = ["http", "https"].contains(server?.scheme?.lowercased() ?? "")
        let anchor = isWeb ? "<p><a href=\"\(HTMLText.escaped(text))\">Open it on the server</a></p>\n" : ""
        return remark + anchor + block("Link", text)
    }

    private var code: String {
        if let code = QRCode(address(readout)) { return code.svg("QR code of the link") }
        guard let code = QRCode(address(readout.short)) else {
            return "<p>The read-out is too long for a QR code; send the link.</p>"
        }
        return "<p>All values are too long for a QR code; it has the modifications and variants only.</p>\n"
            + code.svg("QR code of a link with the modifications and variants")
    }
}
