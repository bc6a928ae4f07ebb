import TestSupport
import Testing

@Suite(.blocks) struct KilledRunTests {
    /// The write of two megabytes ends only when `allot` has read most of them, and so has opened its output; then it
    /// waits for more until it is killed.
    @Test("A killed run leaves no file")
    func nothingIsLeft() throws {
        let workspace = try Workspace.withButton()
        let row = "007,\(String(repeating: "x", count: 1000))\n"
        try workspace.write("rows.csv", "user_id,n\n" + String(repeating: row, count: 2000))
        let result = try workspace.shell(
            """
            mkfifo pipe
            "$ALLOT" assign - -o out.csv --rejects bad.csv < pipe &
            exec 3> pipe
            cat rows.csv >&3
            kill -9 $!
            wait $! 2> wait.txt
            echo $?
            rm pipe rows.csv wait.txt
            """)
        #expect(result.text == "137\n")
        #expect(result.errors == "")
        #expect(try workspace.files == [])
    }

    /// With a toolchain the Swift runtime reports a crash, which takes seconds, and goes on. A shell
    /// lets its background jobs ignore SIGQUIT, unless `env` sets its default again.
    @Test("SIGQUIT ends a run as SIGTERM does, and leaves no file", arguments: [("QUIT", 131), ("TERM", 143)])
    func signals(signal: String, status: Int) throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.shell(
            """
            mkfifo pipe
            ulimit -c 0
            env --default-signal "$ALLOT" assign - -o out.csv --rejects bad.csv < pipe &
            exec 3> pipe
            head -c 2000000 /dev/zero | tr '\\0' 'x' >&3
            kill -\(signal) $!
            wait $! 2> wait.txt
            echo $?
            rm pipe wait.txt
            """)
        #expect(result.text == "\(status)\n")
        #expect(result.errors == "")
        #expect(try workspace.files == [])
    }
}
