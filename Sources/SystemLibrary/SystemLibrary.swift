// The C library of the system: the one place that names it. What else differs between systems is next to it in this
// folder.
#if canImport(Darwin)
    @preconcurrency @_exported import Darwin
#elseif canImport(Glibc)
    @preconcurrency @_exported import Glibc
#elseif canImport(Musl)
    @preconcurrency @_exported import Musl
#elseif canImport(Android)
    @preconcurrency @_exported import Android
#else
    #error("Allot needs the C library of a POSIX system")
#endif
