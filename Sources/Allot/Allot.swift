// The one import of a program that decides: the document, the core and the definitions.
@_exported public import AllotConfiguration
@_exported public import AllotCore
@_exported public import AllotDefinitions
