/// Explanations, exposures and probes.
extension Operation {
    static let explanation = Operation(
        #"""
        {
          "operationId": "explain", "tags": ["Explanations"], "summary": "Why a unit gets what it gets",
          "description": "Every step of every decision, as JSON, or as a page if `Accept` prefers HTML.",
          "parameters": [
            {"$ref": "#/components/parameters/UserID"},
            {
              "name": "experiment", "in": "query", "description": "Only these experiments; repeatable.",
              "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Text"}}
            },
            {"$ref": "#/components/parameters/Attributes"}
          ],
          "responses": {
            "200": {
              "description": "The explanation.",
              "headers": {
                "Cache-Control": {"$ref": "#/components/headers/NoStore"}, "Vary": {"$ref": "#/components/headers/Vary"}
              },
              "content": {
                "application/json": {"schema": {"$ref": "#/components/schemas/Explanation"}},
                "text/html": {"schema": {"type": "string"}}
              }
            },
            "404": {"$ref": "#/components/responses/NotFound"}
          }
        }
        """#)

    static let recording = Operation(
        #"""
        {
          "operationId": "recordExposures", "tags": ["Exposures"], "summary": "Stores exposures",
          "description": "What is stored is durable before the answer. An event that comes again changes nothing, so \#
        a batch may be sent until it is acknowledged.",
          "requestBody": {
            "required": true,
            "content": {"application/json": {
              "schema": {"anyOf": [
                {
                  "type": "object", "required": ["exposures"], "additionalProperties": false,
                  "properties": {"exposures": {"$ref": "#/components/schemas/Exposures"}}
                },
                {"$ref": "#/components/schemas/Exposures"}
              ]},
              "example": {"exposures": [{
                "id": "e-1", "unit": "user-42", "experiment": "short-checkout", "variant": "one-step",
                "at": "2026-11-21T12:00:00Z"
              }]}
            }}
          },
          "responses": {
            "200": {
              "description": "What became of the events.",
              "headers": {"Cache-Control": {"$ref": "#/components/headers/NoStore"}},
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Recorded"}}}
            }
          }
        }
        """#)

    static let export = Operation(
        #"""
        {
          "operationId": "exportExposures", "tags": ["Exposures"], "summary": "The stored exposures",
          "description": "In CSV a text that a spreadsheet would run as a formula, and one that begins with an \#
        apostrophe, has an apostrophe in front; NDJSON has texts as they were sent.",
          "parameters": [
            {
              "name": "experiment", "in": "query", "description": "Only exposures to this experiment.",
              "schema": {"$ref": "#/components/schemas/Text"}
            },
            {
              "name": "salt", "in": "query", "description": "Only this randomisation; needs `experiment`.",
              "schema": {"$ref": "#/components/schemas/Text"}
            },
            {
              "name": "counted", "in": "query", "description": "false for those that are not counted.",
              "schema": {"type": "boolean", "default": true}
            },
            {
              "name": "format", "in": "query", "schema": {"enum": ["csv", "ndjson"], "default": "csv"}
            },
            {
              "name": "since", "in": "query",
              "description": "Only what is new since the export with this cursor, which the store has to know.",
              "schema": {"type": "integer", "format": "int64", "minimum": 0, "default": 0}
            }
          ],
          "responses": {
            "200": {
              "description": "The exposures. If an export cannot be read to its end, the server closes the connection.",
              "headers": {
                "Allot-Cursor": {
                  "required": true, "description": "What the next export takes as `since`.",
                  "schema": {"type": "integer", "format": "int64", "minimum": 0}
                },
                "Cache-Control": {"$ref": "#/components/headers/NoStore"}
              },
              "content": {
                "text/csv": {"schema": {"type": "string"}}, "application/x-ndjson": {"schema": {"type": "string"}}
              }
            }
          }
        }
        """#)

    static let counts = Operation(
        #"""
        {
          "operationId": "countExposures", "tags": ["Exposures"], "summary": "The units of an experiment by variant",
          "parameters": [
            {
              "name": "key", "in": "path", "required": true, "description": "The experiment.",
              "schema": {"type": "string", "minLength": 1}, "example": "short-checkout"
            },
            {
              "name": "salt", "in": "query", "description": "A former randomisation.",
              "schema": {"$ref": "#/components/schemas/Text"}
            }
          ],
          "responses": {
            "200": {
              "description": "The counts of one randomisation.",
              "headers": {"Cache-Control": {"$ref": "#/components/headers/NoStore"}},
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Counts"}}}
            },
            "404": {"$ref": "#/components/responses/NotFound"}
          }
        }
        """#)

    static let liveness = Operation(
        #"""
        {
          "operationId": "isLive", "tags": ["Operations"], "summary": "Whether the process answers",
          "responses": {
            "200": {
              "description": "It does.", "headers": {"Cache-Control": {"$ref": "#/components/headers/NoStore"}},
              "content": {"application/json": {"schema": {
                "type": "object", "required": ["status"], "properties": {"status": {"const": "ok"}}
              }}}
            }
          }
        }
        """#)

    static let readiness = Operation(
        #"""
        {
          "operationId": "isReady", "tags": ["Operations"], "summary": "Whether the server should get requests",
          "responses": {
            "200": {
              "description": "There are definitions, and exposures can be stored.",
              "headers": {"Cache-Control": {"$ref": "#/components/headers/NoStore"}},
              "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Readiness"}}}
            },
            "503": {
              "description": "Exposures cannot be stored, or the server is about to end.",
              "content": {"application/json": {"schema": {
                "anyOf": [
                  {"$ref": "#/components/schemas/Readiness"}, {"$ref": "#/components/schemas/Draining"},
                  {"$ref": "#/components/schemas/Error"}
                ]
              }}}
            }
          }
        }
        """#)

    static let metrics = Operation(
        #"""
        {
          "operationId": "getMetrics", "tags": ["Operations"], "summary": "Metrics in Prometheus' text format",
          "responses": {
            "200": {
              "description": "The metrics.", "headers": {"Cache-Control": {"$ref": "#/components/headers/NoStore"}},
              "content": {"text/plain": {"schema": {"type": "string"}}}
            }
          }
        }
        """#)

    static let openAPI = Operation(
        #"""
        {
          "operationId": "describe", "tags": ["Operations"], "summary": "This document",
          "parameters": [
            {"$ref": "#/components/parameters/IfNoneMatch"}, {"$ref": "#/components/parameters/AcceptEncoding"}
          ],
          "responses": {
            "200": {
              "description": "A description of all routes, in OpenAPI 3.1.",
              "headers": {
                "ETag": {"$ref": "#/components/headers/ETag"},
                "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
                "Vary": {"$ref": "#/components/headers/Vary"}
              },
              "content": {"application/json": {"schema": {"type": "object", "required": ["openapi"]}}}
            },
            "304": {"$ref": "#/components/responses/NotModified"}
          }
        }
        """#)
}
