import Allot
import AllotConfiguration
import AllotServing

extension OpenAPIText {
    static func schemas(_ limits: RequestLimits) -> String {
        #"""
        {
          "Error": {
            "type": "object", "required": ["error"],
            "properties": {"error": {"type": "string", "description": "What is wrong, and how to fix it."}}
          },
          "UnitID": {
            "type": "string", "minLength": 1, "maxLength": \#(UnitContract.maximumLength),
            "pattern": "^[^\\u0000]*$",
            "description": "At most \#(UnitContract.maximumLength) bytes of UTF-8."
          },
          "Text": {"type": "string", "pattern": "^[^\\u0000]*$"},
          "Key": {"type": "string", "pattern": "^\#(Salt.pattern)$"},
          "Salt": {
            "type": "string", "minLength": 1, "maxLength": \#(HashScheme.maximumSaltLength),
            "pattern": "^[^\\u0000]*$",
            "description": "At most \#(HashScheme.maximumSaltLength) bytes of UTF-8."
          },
          "Revision": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
          "Instant": {"type": "string", "description": "RFC 3339.", "format": "date-time"},
          "Value": {
            "description": "Texts and names in it do not contain U+0000 either.",
            "anyOf": [
              {"$ref": "#/components/schemas/Text"}, {"type": ["number", "boolean", "null"]},
              {"type": "array", "items": {"$ref": "#/components/schemas/Value"}},
              {
                "type": "object", "propertyNames": {"$ref": "#/components/schemas/Text"},
                "additionalProperties": {"$ref": "#/components/schemas/Value"}
              }
            ]
          },
          "Attributes": {
            "type": "object", "maxProperties": \#(limits.attributeCount),
            "propertyNames": {"$ref": "#/components/schemas/Text"},
            "additionalProperties": {"$ref": "#/components/schemas/Value"}
          },
          "AttributeItems": {
            "type": "object", "propertyNames": {"pattern": "^[^\\u0000]*$", "not": {"enum": ["user_id"]}},
            "additionalProperties": {
              "anyOf": [{"$ref": "#/components/schemas/Text"}, {"type": ["number", "boolean", "null"]}]
            }
          },
          "Configuration": {
            "type": "object", "required": ["config_sections", "meta"],
            "description": "MSActiveConfig's exchange format.",
            "properties": {
              "config_sections": {
                "type": "object",
                "additionalProperties": {
                  "type": "object", "required": ["settings"],
                  "properties": {"settings": {
                    "type": "object", "additionalProperties": {"type": "object", "required": ["value"]}
                  }}
                }
              },
              "meta": {
                "type": "object", "required": ["assignments", "configuration_revision", "format_version_string"],
                "properties": {
                  "format_version_string": {"const": "1.0"},
                  "creation_time": {"type": "string"},
                  "configuration_revision": {"$ref": "#/components/schemas/Revision"},
                  "assignments": {
                    "type": "object", "additionalProperties": {"$ref": "#/components/schemas/Assignment"}
                  },
                  "holdouts": {"type": "array", "items": {"type": "string"}}
                }
              }
            }
          },
          "Assignment": {
            "type": "object", "required": ["reason", "revision", "settings", "variant"],
            "properties": {
              "variant": {"$ref": "#/components/schemas/Key"},
              "reason": {"enum": ["forced", "winner", "everyone", "split"]},
              "bucket": {"type": "integer", "minimum": 0},
              "revision": {"$ref": "#/components/schemas/Revision"},
              "settings": {"type": "array", "items": {"type": "string"}},
              "settings_compared": {"type": "array", "items": {"type": "string"}},
              "unit": {"type": "string"}, "salt": {"$ref": "#/components/schemas/Salt"}
            }
          },
          "Flag": {
            "type": "object", "required": ["key", "metadata", "reason", "variant"],
            "properties": {
              "key": {"type": "string"}, "variant": {"type": "string"},
              "value": {"description": "Any value; absent for null."},
              "reason": {"enum": ["STATIC", "DEFAULT", "SPLIT", "TARGETING_MATCH"]},
              "metadata": {
                "type": "object", "required": ["configurationRevision"],
                "additionalProperties": {"type": ["string", "integer"]}
              }
            }
          },
          "FlagFailure": {
            "type": "object", "required": ["errorCode", "errorDetails"],
            "properties": {
              "key": {"type": "string"}, "errorDetails": {"type": "string"},
              "errorCode": {
                "enum": ["PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT", "FLAG_NOT_FOUND", "GENERAL"]
              }
            }
          },
          "Explanation": {
            "type": "object", "required": ["at", "configuration_revision", "experiments", "hash"],
            "properties": {
              "at": {"$ref": "#/components/schemas/Instant"},
              "configuration_revision": {"$ref": "#/components/schemas/Revision"},
              "hash": {"type": "string"},
              "experiments": {"type": "array", "items": {
                "type": "object",
                "required": [
                  "bucket", "experiment", "reason", "revision", "sentence", "steps", "unit", "unit_id", "variant"
                ],
                "properties": {
                  "experiment": {"$ref": "#/components/schemas/Key"}, "variant": {"type": ["string", "null"]},
                  "reason": {"type": "string"}, "bucket": {"type": ["integer", "null"]},
                  "revision": {"$ref": "#/components/schemas/Revision"}, "unit": {"type": ["string", "null"]},
                  "unit_id": {"type": ["string", "null"]}, "sentence": {"type": "string"},
                  "depends_on": {
                    "type": "array", "items": {"type": "string"},
                    "description": "The attributes that were not given and that the decision rests on."
                  },
                  "steps": {"type": "array", "items": {
                    "type": "object", "required": ["step"], "properties": {"step": {"type": "string"}}
                  }}
                }
              }},
              "unread": {
                "type": "array", "description": "The attributes that were given and that no definition reads.",
                "items": {
                  "type": "object", "required": ["attribute", "meant"],
                  "properties": {"attribute": {"type": "string"}, "meant": {"type": ["string", "null"]}}
                }
              }
            }
          },
          "Exposures": {
            "type": "array", "maxItems": \#(limits.exposureCount), "items": {},
            "description": "Each is checked on its own, and what is wrong with one is in the answer.",
            "contains": {"$ref": "#/components/schemas/Exposure"}, "minContains": 0
          },
          "Exposure": {
            "type": "object", "required": ["unit", "experiment", "variant", "at"],
            "properties": {
              "unit": {"$ref": "#/components/schemas/UnitID"}, "experiment": {"$ref": "#/components/schemas/Key"},
              "variant": {"$ref": "#/components/schemas/Key"}, "at": {"$ref": "#/components/schemas/Instant"},
              "salt": {"$ref": "#/components/schemas/Salt"},
              "id": {"type": "string", "minLength": 1, "maxLength": \#(ExposureMessage.maximumIDLength)},
              "reason": {"enum": ["split", "winner", "forced", "override"]},
              "revision": {"type": "string", "minLength": 1, "maxLength": \#(ExposureMessage.maximumNoteLength)},
              "override": {"type": "boolean"}, "attributes": {"type": "object"}
            }
          },
          "Recorded": {
            "type": "object", "required": ["duplicates", "errors", "stored"],
            "properties": {
              "stored": {"type": "integer", "minimum": 0}, "duplicates": {"type": "integer", "minimum": 0},
              "errors": {"type": "array", "items": {
                "type": "object", "required": ["error", "index", "retry"],
                "properties": {
                  "index": {"type": "integer", "minimum": 0, "description": "The event, counted from 0."},
                  "error": {"type": "string"},
                  "retry": {"type": "boolean", "description": "false if the event can never be stored."}
                }
              }}
            }
          },
          "Counts": {
            "type": "object",
            "required": [
              "experiment", "not_counted", "other_randomisations", "revisions", "salt", "units_in_several_variants",
              "variants"
            ],
            "properties": {
              "experiment": {"type": "string"}, "salt": {"type": "string"},
              "resolution": {
                "type": "integer", "minimum": 1, "description": "The buckets of another system's hash; else 1000000."
              },
              "units_in_several_variants": {"type": "integer", "minimum": 0},
              "variants": {"type": "array", "items": {"$ref": "#/components/schemas/VariantUnits"}},
              "revisions": {"type": "array", "items": {
                "type": "object", "required": ["earliest", "latest", "revision", "variants"],
                "properties": {
                  "earliest": {"$ref": "#/components/schemas/Instant"},
                  "latest": {"$ref": "#/components/schemas/Instant"}, "revision": {"type": ["string", "null"]},
                  "variants": {"type": "array", "items": {"$ref": "#/components/schemas/VariantUnits"}}
                }
              }},
              "not_counted": {"type": "array", "items": {
                "type": "object", "required": ["override", "reason", "units", "variant"],
                "properties": {
                  "variant": {"type": "string"}, "reason": {"type": "string"}, "override": {"type": "boolean"},
                  "units": {"type": "integer", "minimum": 1}
                }
              }},
              "other_randomisations": {"type": "array", "items": {
                "type": "object", "required": ["last_received_at", "salt"],
                "properties": {
                  "last_received_at": {"$ref": "#/components/schemas/Instant"}, "salt": {"type": "string"}
                }
              }}
            }
          },
          "VariantUnits": {
            "type": "object", "required": ["units", "variant"],
            "properties": {
              "variant": {"type": "string"}, "units": {"type": "integer", "minimum": 0},
              "buckets": {"type": "integer", "minimum": 0}
            }
          },
          "Draining": {
            "type": "object", "required": ["status"], "properties": {"status": {"const": "draining"}}
          },
          "Readiness": {
            "type": "object", "required": ["definitions", "status"],
            "properties": {
              "status": {"enum": ["ready", "not ready"]},
              "definitions": {
                "type": "object", "required": ["loaded_at", "revision", "state"],
                "properties": {
                  "state": {"enum": ["current", "stale"]}, "revision": {"$ref": "#/components/schemas/Revision"},
                  "loaded_at": {"$ref": "#/components/schemas/Instant"},
                  "failed_at": {"$ref": "#/components/schemas/Instant"}, "problems": {"type": "integer", "minimum": 1}
                }
              },
              "exposures": {
                "type": "object", "required": ["state"],
                "properties": {
                  "state": {"enum": ["healthy", "failing"]},
                  "failing_since": {"$ref": "#/components/schemas/Instant"}, "error": {"type": "string"}
                }
              }
            }
          }
        }
        """#
    }
}
