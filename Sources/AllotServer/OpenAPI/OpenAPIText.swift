import AllotCatalog
import AllotConfiguration
import AllotServing

/// The parts of the document that do not belong to one route: each is the text of an object of JSON.
enum OpenAPIText {
    static let document = #"""
        {
          "openapi": "3.1.0",
          "info": {
            "title": "Allot", "version": "\#(AllotVersion.number)",
            "description": "Configurations, flags, explanations and exposures of experiments. `HEAD` is answered \#
        wherever `GET` is, and `OPTIONS` on every path; other methods of a path get 405 with `Allow`.",
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"}
          },
          "tags": [
            {"name": "Configurations", "description": "What apps fetch, and when to fetch it again."},
            {"name": "Flags", "description": "The same settings for OpenFeature."},
            {"name": "Exposures", "description": "The units that met their variants."},
            {"name": "Explanations", "description": "Why a unit gets what it gets."},
            {"name": "Pages", "description": "What runs, for people in browsers."},
            {"name": "Operations", "description": "Probes and metrics."}
          ]
        }
        """#

    static let securitySchemes = #"""
        {
          "bearer": {"type": "http", "scheme": "bearer", "description": "A token of the server's list."},
          "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "The same token."},
          "basic": {
            "type": "http", "scheme": "basic",
            "description": "The same token as the password, for people in browsers; any user name will do."
          },
          "accessToken": {
            "type": "apiKey", "in": "query", "name": "access_token",
            "description": "The same token, for pages, whose EventSource cannot set headers."
          }
        }
        """#

    static let headers = #"""
        {
          "ETag": {
            "required": true, "description": "Identifies the bytes of the answer; strong.",
            "schema": {"type": "string", "pattern": "^\"[!#-~]+\"$"}
          },
          "CacheControl": {
            "required": true, "description": "How long the answer may be used; never past the next boundary.",
            "schema": {"type": "string"}
          },
          "Boundary": {
            "description": "The whole seconds until the next boundary (a start, an end or a traffic step), rounded \#
        up; absent if there is none.",
            "schema": {"type": "integer", "minimum": 0}
          },
          "NoStore": {
            "required": true, "description": "The answer is not kept.", "schema": {"const": "no-store"}
          },
          "Vary": {
            "required": true, "description": "What else the answer depends on.", "schema": {"type": "string"}
          },
          "RetryAfter": {
            "description": "After how many seconds the request may be sent again.",
            "schema": {"type": "integer", "minimum": 0}
          },
          "Unread": {
            "description": "Attributes of the request that no definition reads, each with the name that is probably \#
        meant: a list of strings (RFC 9651), percent-encoded.",
            "schema": {"type": "string"}, "example": "\"plattform\";meant=\"platform\""
          },
          "Signature": {
            "description": "A detached signature of the body (RFC 7515), if the server signs configurations.",
            "schema": {"type": "string"}
          }
        }
        """#

    static func parameters(_ limits: RequestLimits) -> String {
        #"""
        {
          "UserID": {
            "name": "id", "in": "path", "required": true,
            "description": "The user's ID, percent-encoded: 1 to \#(UnitContract.maximumLength) bytes of UTF-8 \#
        without U+0000.",
            "schema": {"$ref": "#/components/schemas/UnitID"}, "example": "user-42"
          },
          "PageUnit": {
            "name": "id", "in": "path", "required": true,
            "description": "The unit's ID, percent-encoded. The page says if it cannot be one.",
            "schema": {"$ref": "#/components/schemas/Text"}, "example": "user-42"
          },
          "PageNumber": {
            "name": "page", "in": "query",
            "description": "Past the end it is the last page; if it is absent or empty, the first.",
            "schema": {
              "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": \#(OverviewQuery.maximumPage)}, {"const": ""}
              ],
              "default": 1
            }
          },
          "Instant": {
            "name": "at", "in": "query", "description": "The instant, RFC 3339; now if it is missing.",
            "schema": {"$ref": "#/components/schemas/Text"}
          },
          "AttributeLines": {
            "name": "attributes", "in": "query", "description": "Attributes, name=value on each line.",
            "schema": {"$ref": "#/components/schemas/Text"}
          },
          "OneExperiment": {
            "name": "experiment", "in": "query", "description": "Only this experiment.",
            "schema": {"$ref": "#/components/schemas/Text"}
          },
          "Attributes": {
            "name": "attributes", "in": "query", "style": "form", "explode": true,
            "description": "Attributes of the user, each an item of the query by its own name, as `country=DE`; the \#
        name `attributes` does not occur. At most \#(limits.attributeCount), each once, and not `user_id`.",
            "schema": {"$ref": "#/components/schemas/AttributeItems"},
            "example": {"country": "DE", "app_version": "4.2.0"}
          },
          "FurtherAttributes": {
            "name": "further", "in": "query", "style": "form", "explode": true,
            "description": "More attributes, each an item of the query by its own name; the name `further` does not \#
        occur.",
            "schema": {"$ref": "#/components/schemas/AttributeItems"}
          },
          "IfNoneMatch": {
            "name": "If-None-Match", "in": "header", "description": "The ETag of the answer that the client has.",
            "schema": {"type": "string"}
          },
          "AnnouncedTag": {
            "name": "\#(AnnouncedChange.Item.tag)", "in": "query",
            "description": "The `etag` of the event that makes the client ask.", "schema": {"type": "string"}
          },
          "AnnouncedTime": {
            "name": "\#(AnnouncedChange.Item.lastModified)", "in": "query",
            "description": "The `lastModified` of that event: seconds since 1970, or RFC 3339.",
            "schema": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "format": "date-time"}]}
          },
          "AcceptEncoding": {
            "name": "Accept-Encoding", "in": "header", "description": "With gzip, long answers are compressed.",
            "schema": {"type": "string"}
          }
        }
        """#
    }

    static func requestBodies(_ limits: RequestLimits) -> String {
        #"""
        {
          "Context": {
            "required": true,
            "content": {"application/json": {
              "schema": {
                "type": "object", "required": ["context"],
                "properties": {"context": {
                  "type": "object", "required": ["targetingKey"], "maxProperties": \#(limits.contextCount),
                  "description": "A `user_id` next to the `targetingKey` has to be the same, and is best left out.",
                  "properties": {"targetingKey": {"$ref": "#/components/schemas/UnitID"}},
                  "propertyNames": {"pattern": "^[^\\u0000]*$", "not": {"enum": ["user_id"]}},
                  "additionalProperties": {"$ref": "#/components/schemas/Value"}
                }}
              },
              "example": {"context": {"targetingKey": "user-011", "country": "DE"}}
            }}
          }
        }
        """#
    }

    static let responses = #"""
        {
          "Configuration": {
            "description": "The configuration.",
            "headers": {
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "Vary": {"$ref": "#/components/headers/Vary"},
              "\#(ServiceHeader.boundary)": {"$ref": "#/components/headers/Boundary"},
              "\#(ServiceHeader.unread)": {"$ref": "#/components/headers/Unread"},
              "X-JWS-Signature": {"$ref": "#/components/headers/Signature"}
            },
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Configuration"}}}
          },
          "Page": {
            "description": "The page.",
            "headers": {
              "Cache-Control": {"$ref": "#/components/headers/NoStore"}, "Vary": {"$ref": "#/components/headers/Vary"}
            },
            "content": {"text/html": {"schema": {"type": "string"}}}
          },
          "OtherPage": {
            "description": "The page that is meant is another one.",
            "headers": {
              "Location": {"required": true, "description": "Where it is.", "schema": {"type": "string"}},
              "Cache-Control": {"$ref": "#/components/headers/NoStore"}, "Vary": {"$ref": "#/components/headers/Vary"}
            }
          },
          "NotModified": {
            "description": "The client has the answer already.",
            "headers": {
              "ETag": {"$ref": "#/components/headers/ETag"},
              "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
              "\#(ServiceHeader.boundary)": {"$ref": "#/components/headers/Boundary"}
            }
          },
          "BadRequest": {
            "description": "The request does not say what it has to; the message says how to fix it.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "Unauthorized": {
            "description": "There is no token, or the server does not know it.",
            "headers": {"WWW-Authenticate": {"required": true, "schema": {"type": "string"}}},
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "Forbidden": {
            "description": "The token does not have the scope, or a page of another origin sends a form.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "NotFound": {
            "description": "What the request is about does not exist.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "Timeout": {
            "description": "The request took too long to arrive.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "LargeBody": {
            "description": "The body is too large.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "LongTarget": {
            "description": "The target is too long.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "OtherType": {
            "description": "The body is not of the type that is accepted, or it is compressed.",
            "headers": {
              "Accept": {
                "description": "What is accepted.",
                "schema": {"enum": ["application/json", "application/x-www-form-urlencoded"]}
              },
              "Accept-Encoding": {"description": "What is accepted.", "schema": {"const": "identity"}}
            },
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "Expectation": {
            "description": "The server cannot do what `Expect` asks for.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "LongHeaders": {
            "description": "The header fields are too long or too many.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "Fault": {
            "description": "A fault of the server.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "NotImplemented": {
            "description": "The server does not know the transfer coding.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "Unavailable": {
            "description": "Too much is going on, or the exposures cannot be stored or read now.",
            "headers": {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}},
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "FlagsUnavailable": {
            "description": "The server does not have the change yet that the request names, or too much is going on.",
            "headers": {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}},
            "content": {"application/json": {"schema": {
              "anyOf": [{"$ref": "#/components/schemas/FlagFailure"}, {"$ref": "#/components/schemas/Error"}]
            }}}
          },
          "FlagFailure": {
            "description": "There is no value.",
            "content": {"application/json": {"schema": {
              "anyOf": [{"$ref": "#/components/schemas/FlagFailure"}, {"$ref": "#/components/schemas/Error"}]
            }}}
          }
        }
        """#
}

extension RequestLimits {
    /// The most members of a context: the attributes and the targeting key.
    fileprivate var contextCount: Int { min(attributeCount, .max - 1) + 1 }
}
