/// The pages of experiments and units.
extension Operation {
    static let experimentPage = Operation(
        #"""
        {
          "operationId": "getExperimentPage", "tags": ["Pages"], "summary": "Everything about one experiment",
          "parameters": [
            {
              "name": "key", "in": "path", "required": true, "description": "The experiment.",
              "schema": {"type": "string", "minLength": 1}, "example": "short-checkout"
            },
            {
              "name": "dialect", "in": "query", "description": "The warehouse whose SQL is shown, such as `duckdb`.",
              "schema": {"$ref": "#/components/schemas/Text"}
            },
            {
              "name": "salt", "in": "query", "description": "A former randomisation.",
              "schema": {"$ref": "#/components/schemas/Text"}
            }
          ],
          "responses": {
            "200": {"$ref": "#/components/responses/Page"}, "404": {"$ref": "#/components/responses/NotFound"}
          }
        }
        """#)

    static let unit = Operation(
        #"""
        {
          "operationId": "getUnitPage", "tags": ["Pages"], "summary": "What a unit gets, and why",
          "parameters": [
            {"$ref": "#/components/parameters/PageUnit"},
            {"$ref": "#/components/parameters/Instant"},
            {"$ref": "#/components/parameters/AttributeLines"},
            {"$ref": "#/components/parameters/OneExperiment"},
            {"$ref": "#/components/parameters/FurtherAttributes"}
          ],
          "responses": {"200": {"$ref": "#/components/responses/Page"}}
        }
        """#)

    static let unitForm = Operation(
        #"""
        {
          "operationId": "getUnitForm", "tags": ["Pages"], "summary": "The form for a unit",
          "parameters": [
            {
              "name": "id", "in": "query", "description": "The unit's ID; without it there is only the form.",
              "schema": {"$ref": "#/components/schemas/Text"}
            },
            {"$ref": "#/components/parameters/Instant"},
            {"$ref": "#/components/parameters/AttributeLines"},
            {"$ref": "#/components/parameters/OneExperiment"},
            {"$ref": "#/components/parameters/FurtherAttributes"}
          ],
          "responses": {"200": {"$ref": "#/components/responses/Page"}}
        }
        """#)
}
