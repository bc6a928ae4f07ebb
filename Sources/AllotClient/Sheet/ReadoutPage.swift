import AllotConfiguration

import struct Foundation.URL

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

    /// The link of the read-out, or of the short one, that has at most a number of bytes. Returns `nil` if none has.
    private func address(atMost limit: Int) -> (text: String, isShort: Bool)? {
        for (readout, isShort) in [(readout, false), (readout.short, true)] {
            let text = readout.link(server: server?.absoluteString)
            if text.utf8.count <= limit { return (text, isShort) }
        }
        return nil
    }

    private static func remark(_ form: String) -> String {
        "<p>All values are too long for a \(form); it has the modifications and variants only.</p>\n"
    }

    private var link: String {
        guard let (text, isShort) = address(atMost: DeviceReadout.limit) else {
            return "<p>The read-out is too long for a link; copy the text.</p>"
        }
        // Only programs read a link without a server.
        let isWeb = ["http", "https"].contains(server?.scheme?.lowercased() ?? "")
        let anchor = isWeb ? "<p><a href=\"\(HTMLText.escaped(text))\">Open it on the server</a></p>\n" : ""
        return (isShort ? Self.remark("link") : "") + anchor + block("Link", text)
    }

    private var code: String {
        guard let (text, isShort) = address(atMost: QRCode.limit), let code = QRCode(text) else {
            return "<p>The read-out is too long for a QR code; send the link or the text.</p>"
        }
        let description = isShort ? "QR code of a link with the modifications and variants" : "QR code of the link"
        return (isShort ? Self.remark("QR code") : "") + code.svg(description)
    }
}
