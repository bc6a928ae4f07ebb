/// Pages for people.
extension Operation {
    static let overview = Operation(
        #"""
        {
          "operationId": "getOverviewPage", "tags": ["Pages"], "summary": "What runs now and next",
          "description": "The experiments by layer, with what is wrong above them and the warnings about definitions \#
        below; 100 on a page. Empty items choose nothing. A search for the key of an experiment, with no other item, \#
        leads to its page.",
          "parameters": [
            {
              "name": "status", "in": "query",
              "description": "A status; `current` for running and scheduled ones, `all` for all, which is the \#
        default of a search.",
              "schema": {
                "enum": ["current", "all", "running", "scheduled", "draft", "paused", "ended", "concluded", ""],
                "default": "current"
              }
            },
            {
              "name": "owner", "in": "query", "description": "Only those of this owner.",
              "schema": {"$ref": "#/components/schemas/Text"}
            },
            {
              "name": "setting", "in": "query",
              "description": "Only those that change this setting, or a setting of this section.",
              "schema": {"$ref": "#/components/schemas/Text"}
            },
            {
              "name": "layer", "in": "query", "description": "Only those of this layer.",
              "schema": {"$ref": "#/components/schemas/Text"}
            },
            {
              "name": "text", "in": "query",
              "description": "Only those whose key, description, owner and settings have these words, in any order.",
              "schema": {"$ref": "#/components/schemas/Text"}
            },
            {
              "name": "sort", "in": "query",
              "schema": {"enum": ["layer", "key", "status", "owner", "started", "next", ""], "default": "layer"}
            },
            {"$ref": "#/components/parameters/PageNumber"}
          ],
          "responses": {
            "200": {"$ref": "#/components/responses/Page"}, "303": {"$ref": "#/components/responses/OtherPage"}
          }
        }
        """#)

    static let layer = Operation(
        #"""
        {
          "operationId": "getLayerPage", "tags": ["Pages"], "summary": "Who holds the slots of a layer",
          "parameters": [
            {
              "name": "name", "in": "path", "required": true, "description": "The layer.",
              "schema": {"type": "string", "minLength": 1}, "example": "checkout"
            },
            {"$ref": "#/components/parameters/PageNumber"}
          ],
          "responses": {
            "200": {"$ref": "#/components/responses/Page"}, "404": {"$ref": "#/components/responses/NotFound"}
          }
        }
        """#)

    static let holdout = Operation(
        #"""
        {
          "operationId": "getHoldoutPage", "tags": ["Pages"], "summary": "What a holdout keeps units out of",
          "parameters": [
            {
              "name": "name", "in": "path", "required": true, "description": "The holdout.",
              "schema": {"type": "string", "minLength": 1}, "example": "h2-2026"
            },
            {"$ref": "#/components/parameters/PageNumber"}
          ],
          "responses": {
            "200": {"$ref": "#/components/responses/Page"}, "404": {"$ref": "#/components/responses/NotFound"}
          }
        }
        """#)

    static let style = Operation(
        #"""
        {
          "operationId": "getStyle", "tags": ["Pages"], "summary": "The stylesheet of all pages",
          "parameters": [
            {"$ref": "#/components/parameters/IfNoneMatch"}, {"$ref": "#/components/parameters/AcceptEncoding"}
          ],
          "responses": {
            "200": {
              "description": "The stylesheet.",
              "headers": {
                "ETag": {"$ref": "#/components/headers/ETag"},
                "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
                "Vary": {"$ref": "#/components/headers/Vary"}
              },
              "content": {"text/css": {"schema": {"type": "string"}}}
            },
            "304": {"$ref": "#/components/responses/NotModified"}
          }
        }
        """#)
}
