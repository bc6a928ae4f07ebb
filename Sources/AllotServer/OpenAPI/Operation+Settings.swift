/// The page of settings, and tokens for one device.
extension Operation {
    static let settings = Operation(
        #"""
        {
          "operationId": "getSettingsPage", "tags": ["Pages"],
          "summary": "The settings of the base, and who may change them",
          "description": "With `setting` one of them, with a form for another base value. With `value` too the \#
        lines to commit, and what check, test and diff say to them; nothing is written.",
          "parameters": [
            {
              "name": "text", "in": "query", "description": "Only those whose name or words have this text.",
              "schema": {"type": "string"}
            },
            {
              "name": "section", "in": "query", "description": "Only those of this section.",
              "schema": {"type": "string"}
            },
            {
              "name": "setting", "in": "query", "description": "Only this one, `Section.Setting`.",
              "schema": {"type": "string"}
            },
            {
              "name": "page", "in": "query", "description": "Past the end it is the last page.",
              "schema": {"type": "integer", "minimum": 1, "maximum": 1000000, "default": 1}
            },
            {
              "name": "value", "in": "query", "description": "A new value to try out, as text.",
              "schema": {"type": "string"}
            }
          ],
          "responses": {
            "200": {"$ref": "#/components/responses/Page"},
            "404": {"$ref": "#/components/responses/NotFound"}
          }
        }
        """#)
}
