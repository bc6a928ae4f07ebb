/// The page of settings, and tokens for one device.
extension Operation {
    static let settings = Operation(
        #"""
        {
          "operationId": "getSettingsPage", "tags": ["Pages"],
          "summary": "The settings of the base, and who may change them",
          "description": "With `setting` one of them, with a form for another base value.",
          "parameters": [
            {
              "name": "text", "in": "query", "description": "Only those whose name or words have this text.",
              "schema": {"$ref": "#/components/schemas/Text"}
            },
            {
              "name": "section", "in": "query", "description": "Only those of this section.",
              "schema": {"$ref": "#/components/schemas/Text"}
            },
            {
              "name": "setting", "in": "query", "description": "Only this one, `Section.Setting`.",
              "schema": {"$ref": "#/components/schemas/Text"}
            },
            {"$ref": "#/components/parameters/PageNumber"}
          ],
          "responses": {
            "200": {"$ref": "#/components/responses/Page"},
            "404": {"$ref": "#/components/responses/NotFound"}
          }
        }
        """#)

    static let tryingSetting = Operation(
        #"""
        {
          "operationId": "trySetting", "tags": ["Pages"],
          "summary": "Tries another base value out",
          "description": "The page has the lines to commit, and what check, test and diff say to them. Nothing is \#
        written.",
          "requestBody": {
            "required": true,
            "content": {"application/x-www-form-urlencoded": {
              "schema": {
                "type": "object", "required": ["setting", "value"],
                "properties": {
                  "setting": {"$ref": "#/components/schemas/Text"}, "value": {"$ref": "#/components/schemas/Text"}
                },
                "additionalProperties": {"$ref": "#/components/schemas/Text"},
                "propertyNames": {"$ref": "#/components/schemas/Text"}
              },
              "example": {"setting": "Checkout.Steps", "value": "1"}
            }}
          },
          "responses": {
            "200": {"$ref": "#/components/responses/Page"},
            "404": {"$ref": "#/components/responses/NotFound"}
          }
        }
        """#)

    static let overrideForm = Operation(
        #"""
        {
          "operationId": "getOverrideForm", "tags": ["Pages"],
          "summary": "The form for a token that lets a tester's device use other settings",
          "description": "Only on a server with a signing key and access tokens.",
          "parameters": [
            {"$ref": "#/components/parameters/PageUnit"},
            {
              "name": "text", "in": "query", "description": "Only experiments and settings with these words.",
              "schema": {"$ref": "#/components/schemas/Text"}
            }
          ],
          "responses": {"200": {"$ref": "#/components/responses/Page"}}
        }
        """#)

    static let override = Operation(
        #"""
        {
          "operationId": "makeOverride", "tags": ["Pages"],
          "summary": "Makes a token that lets a tester's device use other settings",
          "description": "The page has the token as text, link and QR code, or says what is wrong. Nothing is stored.",
          "parameters": [
            {"$ref": "#/components/parameters/PageUnit"}
          ],
          "requestBody": {
            "required": true,
            "content": {"application/x-www-form-urlencoded": {
              "schema": {
                "type": "object",
                "properties": {
                  "device": {"$ref": "#/components/schemas/Text"}, "app": {"$ref": "#/components/schemas/Text"},
                  "scheme": {"$ref": "#/components/schemas/Text"}, "expires": {"$ref": "#/components/schemas/Text"},
                  "operation": {"$ref": "#/components/schemas/Text"}, "text": {"$ref": "#/components/schemas/Text"}
                },
                "additionalProperties": {"$ref": "#/components/schemas/Text"},
                "propertyNames": {"$ref": "#/components/schemas/Text"}
              },
              "example": {
                "device": "E621E1F8", "app": "com.example.shop", "operation": "apply", "setting.Checkout.Steps": "1"
              }
            }}
          },
          "responses": {"200": {"$ref": "#/components/responses/Page"}}
        }
        """#)
}
