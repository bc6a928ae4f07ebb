import CAllot
import Foundation
import TestSupport
import Testing

/// The library as other programs load it.
@Suite(.blocks, .serialized) struct EmbeddingTests {
    /// A library that the build of these tests is linked to, and the folder that it is in.
    private struct Library {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            let scratch = try BuiltProgram("allot").url.deletingLastPathComponent().appending(path: "../..")
                .standardizedFileURL.path
            let build = root.appending(path: "Sources/AllotC/build")
            let result = try Outcome(
                of: build,
                [folder.path, "--skip-build", "--configuration", "debug", "--scratch-path", Self.scratch(scratch)])
            guard result.status == 0 else { throw Failure(status: Int(result.status), message: result.errors) }
        }

        /// The folder that `debug` is in.
        private static func scratch(_ path: String) -> String {
            let above = URL(filePath: path)
            return FileManager.default.fileExists(atPath: above.appending(path: "debug").path)
                ? path : above.deletingLastPathComponent().path
        }

        var path: String { folder.path("liballot.so") }

        func readelf(_ options: String...) throws -> String {
            try EmbeddingTests.tool("readelf", ["-W"] + options + [path]).text
        }
    }

    private static func path(of tool: String) -> URL? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { URL(filePath: "\($0)/\(tool)") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private static func tool(_ name: String, _ arguments: [String]) throws -> Outcome {
        guard let tool = path(of: name) else { throw Failure(status: -1, message: "there is no \(name)") }
        return try Outcome(of: tool, arguments)
    }

    /// What the linker and the compiler of C are.
    private static let compilers = ["cc", "clang", "gcc"].filter { path(of: $0) != nil }
    private static let hasTools = path(of: "ld") != nil && path(of: "readelf") != nil && !compilers.isEmpty

    @Test(
        "A C program, the exported functions and the needed libraries",
        .enabled(if: hasTools, "there is no C compiler, ld or readelf; install gcc and binutils"))
    func embedding() throws {
        let library = try Library()
        // What leaves the library is what the headers declare.
        let declared = try ["allot.h", "allot_python.h"].flatMap { header -> [String] in
            let text = try String(
                contentsOf: root.appending(path: "Sources/CAllot/include/\(header)"), encoding: .utf8)
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(
                separator: "\n")
            return code.matches(of: /\b(allot_[a-z_]+)\(/).map { String($0.1) }
        }
        let symbols = try library.readelf("--dyn-syms").split(separator: "\n").map { $0.split(separator: " ") }
        let exported = symbols.filter {
            $0.count == 8 && $0[6] != "UND" && $0[6] != "Ndx" && $0[4] != "LOCAL" && $0[3] != "OBJECT"
        }
        .map { String($0[7].prefix { $0 != "@" }) }
        #expect(Set(exported) == Set(declared))
        #expect(declared.contains("allot_assign"))
        let needed = try library.readelf("-d").split(separator: "\n").filter { $0.contains("(NEEDED)") }
            .compactMap { $0.firstMatch(of: /\[(.*?)\.so/).map { String($0.1) } }
        // All of them are glibc's.
        let system = ["libc", "libm", "libdl", "libpthread", "ld-linux-x86-64", "ld-linux-aarch64"]
        #expect(Set(needed).isSubset(of: system), "\(needed)")
        #expect(try library.readelf("-d").contains("[liballot.so.1]"))
        let versions = try library.readelf("--dyn-syms").matches(of: /@GLIBC_2\.(\d+)/).compactMap { Int($0.1) }
        let own = try Self.tool("getconf", ["GNU_LIBC_VERSION"]).text.firstMatch(of: /2\.(\d+)/).flatMap { Int($0.1) }
        let newest = try #require(versions.max())
        // Red Hat Enterprise Linux 9 and Amazon Linux 2023 have 2.34. A newer machine than Debian 12 may need more.
        #expect(newest <= 34 || own.map { $0 > 36 } == true, "the library needs glibc 2.\(newest)")

        for compiler in Self.compilers {
            let program = library.folder.path("assign-\(compiler)")
            let source = root.appending(path: "Experiments/c/assign.c").path
            let compiled = try Self.tool(
                compiler,
                [
                    "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I\(library.folder.path)", source, "-o",
                    program,
                    "-L\(library.folder.path)", "-lallot", "-Wl,-rpath,\(library.folder.path)",
                ])
            #expect(compiled.status == 0, "\(compiled.errors)")
            let result = try Outcome(of: URL(filePath: program), [root.path + "/Experiments"])
            #expect(result.errors == "")
            #expect(
                result.text == """
                    buy-button: large-green control green
                    search-ranking: keyword popularity -

                    """)
            let failure = try Outcome(of: URL(filePath: program), ["/nowhere"])
            #expect(failure.status == 1)
            #expect(failure.errors.contains("/nowhere"))
        }
        // The headers are C++ as well.
        if Self.path(of: "clang") != nil {
            let header = library.folder.path("allot.h")
            let checked = try Self.tool("clang", ["-x", "c++", "-fsyntax-only", "-Wall", "-Werror", header])
            #expect(checked.status == 0, "\(checked.errors)")
        }
    }

    @Test(
        "The replacements of newer functions of glibc work: exceptions are caught, and hypot is right",
        .enabled(if: path(of: "g++") != nil, "g++ is not installed; install it"))
    func replacements() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            #include <cmath>
            #include <dlfcn.h>
            #include <iostream>
            #include <stdexcept>
            __attribute__((noinline)) static void fail(int count) {
                if (count > 0) throw std::runtime_error("caught");
            }
            int main(int count, char **) {
                dl_find_object found;
                try { fail(count); } catch (const std::exception &error) { std::cout << error.what(); }
                std::cout << " " << _dl_find_object((void *)main, &found) << (found.dlfo_eh_frame != nullptr)
                    << (found.dlfo_map_start <= (void *)main && found.dlfo_map_end > (void *)main)
                    << _dl_find_object(nullptr, &found) << " " << std::hypot(count + 2.0, count + 3.0)
                    << std::hypot(count + 4.0f, count + 11.0f);
            }
            """, to: "program.cpp")
        let (object, program) = (folder.path("older-glibc.o"), folder.path("program"))
        let source = root.appending(path: ".github/packaging/older-glibc.c").path
        for arguments in [
            ["-xc", "-c", "-O2", "-Wall", "-Wextra", "-Werror", source, "-o", object],
            ["-O1", "-static-libgcc", "-static-libstdc++", folder.path("program.cpp"), object, "-o", program],
        ] {
            let compiled = try Self.tool("g++", arguments)
            try #require(compiled.status == 0, "\(compiled.errors)")
        }
        let result = try Outcome(of: URL(filePath: program), [])
        #expect(result.text == "caught 011-1 513")
        let symbols = try Self.tool("nm", [program]).text
        #expect(symbols.contains(" t _dl_find_object\n"))
    }
}
