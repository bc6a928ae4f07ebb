/// Pages for people.
extension Operation {
    static let overview = Operation(
        #"""
        {
          "operationId": "getOverviewPage", "tags": ["Pages"], "summary": "What runs now and next",
          "responses": {"200": {"$ref": "#/components/responses/Page"}}
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
