import TestSupport
import Testing

@Suite(.blocks) struct ConfigTests {
    @Test("The configuration is one line of JSON with sorted keys")
    func oneLine() throws {
        let result = try Shop.run("config", "user-42", "country=DE", "app_version=2.10.1")
        result.expectOutput(
            """
            {"config_sections":{"Checkout":{"settings":{"ButtonColor":{"value":"#00aa00"},\
            "ButtonText":{"value":"Pay now"},\
            "Layout":{"value":{"columns":1,"padding":{"bottom":8,"top":8},"sticky":true}},"MaxItems":{"value":42}}},\
            "Search":{"settings":{"Ranking":{"value":"classic"},"Timeout":{"value":1.50}}}},\
            "meta":{"assignments":{"checkout-button":{"bucket":428254,"reason":"split","revision":"850c78732f9014ab",\
            "settings":["Checkout.ButtonColor"],"settings_compared":["Checkout.ButtonColor","Checkout.Layout"],\
            "variant":"green"},\
            "old-layout":{"reason":"winner","revision":"8e19466a4cc1ad64","settings":["Checkout.Layout"],\
            "variant":"sticky"}},"configuration_revision":"c43a9a53f17455d8","creation_time":"2026-11-01T00:00Z",\
            "format_version_string":"1.0"}}

            """)
        #expect(
            result.errorLines == [
                #"allot: note: experiments look at "is_pro", "org_id", "plan", "seats", which are not given"#
            ])
    }

    @Test("--pretty indents the same JSON")
    func pretty() throws {
        try Workspace.withButton().run("config", "007", "--pretty").expectOutput(
            """
            {
              "config_sections": {
                "Page": {
                  "settings": {
                    "Color": {"value": "green"}
                  }
                }
              },
              "meta": {
                "assignments": {
                  "button": {
                    "bucket": 627133,
                    "reason": "split",
                    "revision": "8a6133916aeae203",
                    "settings": ["Page.Color"],
                    "variant": "green"
                  }
                },
                "configuration_revision": "2e630c081fc4aba9",
                "format_version_string": "1.0"
              }
            }

            """)
    }
}
