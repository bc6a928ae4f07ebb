import TestSupport
import Testing

/// `--unit-column`, and columns whose names mean something.
@Suite(.blocks) struct UnitColumnTests {
    @Test("The unit column may have another name")
    func anotherName() throws {
        let workspace = try Workspace.withButton()
        let result = try workspace.assign("n,player\n1,007\n2,u\n", "--unit-column", "player")
        #expect(try workspace.read("out.csv") == "n,player,button\n1,007,green\n2,u,control\n")
        #expect(result.status == 0)
        _ = try workspace.assign("n,player\n1,007\n", "--unit-column", "player", "--layout", "long")
        #expect(
            try workspace.read("out.csv")
                == "unit,experiment,variant,reason,bucket,revision\n007,button,green,split,627133,8a6133916aeae203\n")
        _ = try workspace.assign("n,player\n1,007\n", "--unit-column", "player", "--layout", "json")
        #expect(try workspace.read("out.csv").hasPrefix(#"{"unit":"007","configuration":{"#))
    }

    /// It comes before a column user_id.
    @Test("A unit column takes the place of a column user_id")
    func besideUserID() throws {
        let workspace = try Workspace.withButton()
        _ = try workspace.assign("user_id,player\nu,007\n", "--unit-column", "player")
        #expect(try workspace.read("out.csv") == "user_id,player,button\nu,007,green\n")
    }

    @Test("An unknown unit column is an error")
    func unknown() throws {
        let workspace = try Workspace.withButton()
        try workspace.assign("n,player\n1,007\n", "--unit-column", "Player").expectFailure(
            #"in.csv has no column "Player" for the unit IDs; it has "n", "player""#)
        #expect(try workspace.files == ["in.csv"])
    }

    @Test("A file without a column user_id is an error")
    func missingUserID() throws {
        let workspace = try Workspace.withButton()
        for layout in ["wide", "long", "json"] {
            try workspace.assign("n,player\n1,007\n", "--layout", layout).expectFailure(
                """
                in.csv has no column "user_id", by which button assigns; name the column of the unit IDs \
                (it has "n", "player")
                """)
        }
        #expect(try workspace.files == ["in.csv"])
    }

    @Test("An experiment can be called user_id if the file has no such column")
    func experimentNamedLikeTheUnit() throws {
        let workspace = try Workspace.withButton()
        try workspace.write("Experiments/user_id.yaml", "{ status: running, variants: [ { key: a }, { key: b } ] }")
        #expect(try workspace.assign("id\n007\n", "--unit-column", "id").status == 0)
        #expect(try workspace.read("out.csv").hasPrefix("id,button,user_id\n007,"))
    }

    @Test("A column with the name of an experiment is an error in the wide layout")
    func columnNamedLikeAnExperiment() throws {
        let workspace = try Workspace.withButton()
        try workspace.assign("user_id,button\n007,x\n").expectFailure(
            """
            in.csv already has a column "button", the name of an experiment; rename the column, or use the long layout
            """)
        #expect(try workspace.files == ["in.csv"])
        #expect(try workspace.assign("user_id,button\n007,x\n", "--layout", "long").status == 0)
        _ = try workspace.assign("user_id,button\n007,x\n", "--unit-column", "button", "--layout", "long")
        #expect(try workspace.read("out.csv").contains("\nx,button,"))
    }

    /// An experiment that gets no column has no name to collide with.
    @Test("A column may have the name of a paused experiment")
    func columnNamedLikeAPausedExperiment() throws {
        let workspace = try Workspace.withButton()
        try workspace.write("Experiments/pause.yaml", "status: paused\nvariants: [{ key: a }]\n")
        #expect(try workspace.assign("user_id,pause\n007,x\n").status == 0)
        #expect(try workspace.read("out.csv") == "user_id,pause,button\n007,x,green\n")
    }
}
