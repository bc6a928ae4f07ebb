/// What a route does, as the text of an OpenAPI operation. The document adds what the route knows: the method, the
/// path, who may send the request, and the answers that all requests can get.
struct Operation: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }
}

/// Configurations, flags and their changes.
extension Operation {
    static let configuration = Operation(
        #"""
        {
          "operationId": "getConfiguration", "tags": ["Configurations"], "summary": "The configuration of a user",
          "description": "The base configuration with the overrides of the variants that the user is assigned. \#
        The ID `(null)` stands for no user. All items of the query are attributes, as untyped text.",
          "parameters": [
            {"$ref": "#/components/parameters/UserID"}, {"$ref": "#/components/parameters/Attributes"},
            {"$ref": "#/components/parameters/IfNoneMatch"}, {"$ref": "#/components/parameters/AcceptEncoding"}
          ],
          "responses": {
            "200": {"$ref": "#/components/responses/Configuration"},
            "304": {"$ref": "#/components/responses/NotModified"}
          }
        }
        """#)

    static let genericConfiguration = Operation(
        #"""
        {
          "operationId": "getGenericConfiguration", "tags": ["Configurations"],
          "summary": "What everybody gets without an ID",
          "parameters": [
            {"$ref": "#/components/parameters/Attributes"}, {"$ref": "#/components/parameters/IfNoneMatch"},
            {"$ref": "#/components/parameters/AcceptEncoding"}
          ],
          "responses": {
            "200": {"$ref": "#/components/responses/Configuration"},
            "304": {"$ref": "#/components/responses/NotModified"}
          }
        }
        """#)

    static let configurationByQuery = Operation(
        #"""
        {
          "operationId": "getConfigurationByQuery", "tags": ["Configurations"],
          "summary": "The configuration of the user in the query",
          "description": "All other items of the query are attributes, as untyped text.",
          "parameters": [
            {
              "name": "userID", "in": "query", "description": "The user; if it is absent, empty or `(null)`, no user.",
              "schema": {"anyOf": [{"$ref": "#/components/schemas/UnitID"}, {"const": ""}]}, "example": "user-42"
            },
            {"$ref": "#/components/parameters/Attributes"}, {"$ref": "#/components/parameters/IfNoneMatch"},
            {"$ref": "#/components/parameters/AcceptEncoding"}
          ],
          "responses": {
            "200": {"$ref": "#/components/responses/Configuration"},
            "304": {"$ref": "#/components/responses/NotModified"}
          }
        }
        """#)

    static let typedConfiguration = Operation(
        #"""
        {
          "operationId": "postConfiguration", "tags": ["Configurations"],
          "summary": "The configuration of a user with typed attributes",
          "description": "Those of the body have types; all items of the query are attributes too, as untyped text. \#
        An attribute is in one of the two.",
          "parameters": [
            {"$ref": "#/components/parameters/UserID"}, {"$ref": "#/components/parameters/Attributes"},
            {"$ref": "#/components/parameters/IfNoneMatch"}, {"$ref": "#/components/parameters/AcceptEncoding"}
          ],
          "requestBody": {
            "content": {"application/json": {
              "schema": {
                "type": "object", "properties": {"attributes": {"$ref": "#/components/schemas/Attributes"}},
                "additionalProperties": false
              },
              "example": {"attributes": {"premium": true, "seats": 12}}
            }}
          },
          "responses": {
            "200": {"$ref": "#/components/responses/Configuration"},
            "304": {"$ref": "#/components/responses/NotModified"}
          }
        }
        """#)

    static let flag = Operation(
        #"""
        {
          "operationId": "evaluateFlag", "tags": ["Flags"], "summary": "One setting as an OpenFeature flag (OFREP 0.3)",
          "parameters": [
            {
              "name": "key", "in": "path", "required": true, "description": "The setting, as Section.Setting.",
              "schema": {"type": "string", "minLength": 1}, "example": "Checkout.Steps"
            }
          ],
          "requestBody": {"$ref": "#/components/requestBodies/Context"},
          "responses": {
            "200": {
              "description": "The flag's value for the subject of the context.",
              "headers": {"Cache-Control": {"$ref": "#/components/headers/NoStore"}},
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Flag"}}}
            },
            "400": {"$ref": "#/components/responses/FlagFailure"},
            "404": {"$ref": "#/components/responses/FlagFailure"}
          }
        }
        """#)

    static let flags = Operation(
        #"""
        {
          "operationId": "evaluateFlags", "tags": ["Flags"], "summary": "All settings as OpenFeature flags (OFREP 0.3)",
          "description": "A client that asks because of an event says which one. A server that does not have the \#
        change yet answers 503, for at most 90 seconds, so that no client takes old flags for new ones.",
          "parameters": [
            {"$ref": "#/components/parameters/AnnouncedTag"}, {"$ref": "#/components/parameters/AnnouncedTime"},
            {"$ref": "#/components/parameters/IfNoneMatch"}, {"$ref": "#/components/parameters/AcceptEncoding"}
          ],
          "requestBody": {"$ref": "#/components/requestBodies/Context"},
          "responses": {
            "200": {
              "description": "The values of all flags for the subject of the context.",
              "headers": {
                "ETag": {"$ref": "#/components/headers/ETag"},
                "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
                "Vary": {"$ref": "#/components/headers/Vary"}
              },
              "content": {"application/json": {"schema": {
                "type": "object", "required": ["eventStreams", "flags", "metadata"],
                "properties": {
                  "eventStreams": {"type": "array", "items": {"type": "object"}},
                  "flags": {"type": "array", "items": {"$ref": "#/components/schemas/Flag"}},
                  "metadata": {
                    "type": "object", "required": ["configurationRevision"],
                    "properties": {"configurationRevision": {"$ref": "#/components/schemas/Revision"}}
                  }
                }
              }}}
            },
            "304": {"$ref": "#/components/responses/NotModified"},
            "400": {"$ref": "#/components/responses/FlagFailure"},
            "503": {"$ref": "#/components/responses/FlagsUnavailable"}
          }
        }
        """#)

    static let events = Operation(
        #"""
        {
          "operationId": "followChanges", "tags": ["Configurations"],
          "summary": "Server-sent events: the revision, when it changes and when a boundary passes",
          "description": "The first event is the current state. The stream does not end. A comment every 15 seconds \#
        shows that the connection works.",
          "responses": {
            "200": {
              "description": "Events named `message`, whose data is JSON.",
              "headers": {"Cache-Control": {"$ref": "#/components/headers/NoStore"}},
              "content": {"text/event-stream": {
                "schema": {"type": "string"},
                "example": "id: 9f2c4e7a1b3d5e60\nevent: message\ndata: {\"revision\":\"9f2c4e7a1b3d5e60\"}\n\n"
              }}
            }
          }
        }
        """#)
}
