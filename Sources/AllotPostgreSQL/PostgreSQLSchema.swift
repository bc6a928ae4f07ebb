/// The tables of a store in PostgreSQL, in a schema of their own.
enum PostgreSQLSchema {
    /// The present form. A store of a lower number is changed step by step; one of a higher number is refused.
    static let version: Int64 = 3

    /// The oldest server that is supported: its version as PostgreSQL numbers it.
    private static let oldestServer = 130_000

    /// Connects to a store that exists; a statement may take as long as `patience`, or any time.
    static func connect(
        _ address: PostgreSQLAddress, patience: Duration?
    ) throws(PostgreSQLError) -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(address)
        try connection.execute(settings)
        connection.patience = patience
        // The server ends its part as well, before the client gives up and does not know whether it did.
        if let patience { try connection.execute("SET statement_timeout = \(patience * 5 / 6 / .milliseconds(1))") }
        return connection
    }

    /// Creates a store where there is none, if that is allowed, or checks the one that is there. Returns the reason why
    /// the database cannot be used, and the fix; `nil` if it can.
    static func refusal(_ connection: PostgreSQLConnection, isNewAllowed: Bool) throws(PostgreSQLError) -> String? {
        guard connection.serverVersion >= oldestServer else { return "PostgreSQL is older than version 13; update it" }
        let encoding = try connection.query("SELECT current_setting('server_encoding')")[0].text(0)
        guard encoding == "UTF8" else {
            return "its encoding is \(encoding), which cannot hold all texts; create a database with ENCODING 'UTF8'"
        }
        let former = try number(connection)
        guard former != nil || isNewAllowed else {
            return "the database has no store; name the one in which allot-server stores exposures"
        }
        if former ?? 0 < version { try create(connection) }
        guard try number(connection) == version else {
            return "a newer version of Allot wrote the store; use that version, or name another database"
        }
        return nil
    }

    /// The number of the form that a store has; `nil` if there is no store.
    private static func number(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Int64? {
        guard try connection.query("SELECT to_regclass('store')::text")[0].textIfAny(0) != nil else { return nil }
        return try connection.query("SELECT version FROM store").first?.number(0)
    }

    /// Creates the tables that are missing: all, or those that a former version did not have. If two servers start at
    /// once, one waits here and then finds the store.
    private static func create(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
        // A transaction that began before the other server's ended might not find the schema.
        try connection.query("SELECT pg_advisory_lock(\(lock), 0)")
        try connection.transaction("BEGIN") { connection throws(PostgreSQLError) in
            let former = try number(connection)
            if former == 1 { try connection.execute("\(unconfirmed); UPDATE store SET version = 2") }
            if let former, former < 3 { try connection.execute("\(windows); UPDATE store SET version = 3") }
            guard former == nil else { return }
            // A schema that exists is used even if the user may not create schemas.
            try connection.execute(
                """
                DO $$ BEGIN
                    IF to_regnamespace(current_setting('search_path')) IS NULL THEN
                        EXECUTE 'CREATE SCHEMA ' || current_setting('search_path');
                    END IF;
                END $$
                """)
            try connection.execute("\(tables); \(unconfirmed)")
        }
        try connection.query("SELECT pg_advisory_unlock(\(lock), 0)")
    }

    /// The first of the two numbers of the locks of stores, which other programs on the database do not use: "Allo".
    private static let lock = 0x416c_6c6f

    /// Begins a transaction that changes rows, after the end of all others that do, on any server.
    ///
    /// So transactions end in the order of their cursors, and none finds, or waits for, half of what another does. One
    /// writer that writes many exposures in a transaction is as fast as several.
    static let beginWriting = "BEGIN; SELECT pg_advisory_xact_lock(\(lock), 'store'::regclass::oid::integer)"

    /// The settings of a connection, whatever the defaults of the server, the database and the user are.
    ///
    /// * The schema is `allot`, unless the address has `options=-csearch_path%3DNAME`.
    /// * A commit is durable when it is acknowledged.
    /// * A transaction whose server was stopped or cut off does not keep others waiting.
    /// * Each statement goes through the index that was made for it, even where the tables were never analysed.
    private static let settings = """
        SELECT set_config('search_path', quote_ident((
                SELECT CASE source WHEN 'client' THEN (parse_ident(split_part(setting, ',', 1)))[1] ELSE 'allot' END
                FROM pg_settings WHERE name = 'search_path')), false),
            set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
            set_config('default_transaction_isolation', 'read committed', false),
            set_config('idle_in_transaction_session_timeout', '10s', false),
            set_config('lock_timeout', '20s', false),
            set_config('statement_timeout', '0', false),
            set_config('plan_cache_mode', 'force_generic_plan', false),
            set_config('enable_seqscan', 'off', false),
            set_config('enable_bitmapscan', 'off', false),
            set_config('enable_hashjoin', 'off', false),
            set_config('enable_mergejoin', 'off', false),
            set_config('enable_sort', 'off', false),
            set_config('enable_incremental_sort', 'off', false),
            set_config('jit', 'off', false);
        """

    /// All that an exposure has in common with others of its identity but the unit is in `arm`, so that rows and
    /// indexes are narrow. Texts are compared by their bytes. Rows of `arm` stay as long as they have exposures, so no
    /// foreign key is needed; that they are written by one transaction at a time keeps them distinct, since no ordered
    /// index takes texts so long.
    ///
    /// `deleted_cursor` is the last cursor that there was when exposures were last deleted for good.
    ///
    /// A `window_number` of -1 stands for no window, because no two nulls are equal.
    ///
    /// There are no statistics of texts that may name people: copies that are never erased. That an arm has half of
    /// all exposures keeps PostgreSQL from looking for a unit through another index than that of the identity.
    private static let tables = """
        CREATE TABLE store (version integer NOT NULL, deleted_cursor bigint NOT NULL DEFAULT 0, probed_at timestamptz);
        CREATE TABLE arm (
            id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            experiment text COLLATE "C" NOT NULL,
            salt text COLLATE "C" NOT NULL,
            variant text COLLATE "C" NOT NULL,
            counted boolean NOT NULL
        );
        CREATE INDEX arm_experiment ON arm USING hash (experiment);
        CREATE SEQUENCE exposure_cursor;
        CREATE TABLE exposure (
            cursor bigint PRIMARY KEY DEFAULT nextval('exposure_cursor'),
            at bigint NOT NULL,
            received_at bigint NOT NULL,
            reported_at bigint,
            arm integer NOT NULL,
            override boolean NOT NULL,
            unit text COLLATE "C" NOT NULL,
            event text COLLATE "C",
            revision text COLLATE "C",
            reason text COLLATE "C" NOT NULL,
            doubt text COLLATE "C",
            attributes text COLLATE "C",
            window_number bigint NOT NULL DEFAULT -1,
            CONSTRAINT exposure_arm_unit_key UNIQUE (arm, unit, window_number)
        );
        CREATE UNIQUE INDEX exposure_event ON exposure (event) WHERE event IS NOT NULL;
        CREATE INDEX exposure_at ON exposure (arm, at) INCLUDE (revision, reason, override);
        CREATE INDEX exposure_received_at ON exposure (arm, received_at);
        ALTER TABLE exposure
            ALTER COLUMN unit SET STATISTICS 0,
            ALTER COLUMN event SET STATISTICS 0,
            ALTER COLUMN attributes SET STATISTICS 0,
            ALTER COLUMN arm SET (n_distinct = 2);
        ALTER SEQUENCE exposure_cursor OWNED BY exposure.cursor;
        INSERT INTO store VALUES (\(version))
        """

    private static let windows = """
        ALTER TABLE exposure ADD COLUMN window_number bigint NOT NULL DEFAULT -1;
        ALTER TABLE exposure DROP CONSTRAINT exposure_arm_unit_key;
        ALTER TABLE exposure ADD CONSTRAINT exposure_arm_unit_key UNIQUE (arm, unit, window_number)
        """

    /// The variants and revisions that no definition has had. An empty revision stands for the variant itself.
    private static let unconfirmed = """
        CREATE TABLE unconfirmed (arm integer NOT NULL, revision text COLLATE "C" NOT NULL, PRIMARY KEY (arm, revision))
        """
}
