extension String {
    /// The text in UTF-8 with each byte that is not kept as "%" and two hexadecimal digits (RFC 3986, section 2.1).
    package func percentEncoded(keeping isKept: (UInt8) -> Bool) -> String {
        var result = ""
        for byte in utf8 {
            if isKept(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + String(byte, radix: 16, uppercase: true).leftPadded(to: 2, with: "0")
            }
        }
        return result
    }
}

extension UInt8 {
    /// Whether it means only itself wherever it stands in a URI (RFC 3986, section 2.3).
    package var isUnreservedInURI: Bool { isOfPlainName || "-.~".utf8.contains(self) }
}
