import AllotConfiguration
import TestSupport
import Testing

/// `allot device`: what a tester's device read out, compared with the definitions.
@Suite(.blocks) struct DeviceCommandTests {
    private static let readout = #"""
        {"modifications":{"Page.Color":"red"},"readout":1,"settings":{"Page.Color":"red"},"user":"007",\#
        "variants":{"button":"control"}}
        """#

    @Test("A link, the text in it, JSON and a file of any of them are compared")
    func forms() throws {
        let code = Base64URL.encode(Array(Self.readout.utf8))
        let link = "allot:/device?readout=\(code)"
        let workspace = try Workspace.withButton(and: ["link.txt": "\n\(link)\r\n"])
        for text in [link, code, Self.readout, "@link.txt"] {
            try workspace.run("device", text).expectText(
                "Page.Color  \"red\"   \"blue\"  \"green\"  different, modified\n", "button      control  green\n",
                start: "app not named, device not named, user \"007\"\nThe read-out names no revision",
                end: "\n\n1 setting; 1 different; 1 modified\n")
        }
    }

    @Test("What is not a read-out is refused with the reason")
    func refusals() throws {
        let workspace = try Workspace.withButton()
        try workspace.run("device", "x").expectErrors(start: "allot: the read-out is not base 64")
        try workspace.run("device", "@/dev/zero").expectFailure(
            "/dev/zero has more than 1048576 bytes; it is not a read-out")
        try workspace.run("device", Self.readout, "country").expectUsageError(
            #""country" is not an attribute; write it as name=value, such as country=DE."#)
    }
}
