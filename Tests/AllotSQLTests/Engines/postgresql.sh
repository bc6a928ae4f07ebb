#!/bin/sh
# A PostgreSQL server for one run of the tests: postgresql.sh start|stop FOLDER
# `start` makes a cluster in FOLDER, which it creates, listening to a socket in it alone, and prints the connection
# string. Root may run it as well: the server then runs as the user `postgres`, as it refuses to run as root.
set -eu

usage() { echo "usage: postgresql.sh start|stop FOLDER" >&2; exit 64; }
[ $# = 2 ] || usage
mkdir -p "$2"
folder=$(cd "$2" && pwd -P)

programs=$(command -v pg_ctl >/dev/null && dirname "$(readlink -f "$(command -v pg_ctl)")" ||
    find /usr/lib/postgresql /usr/local /opt -path '*/bin/pg_ctl' -exec dirname {} \; 2>/dev/null | sort -V | tail -1)
[ -n "$programs" ] || { echo "postgresql.sh: there is no pg_ctl; install postgresql" >&2; exit 1; }

# As the owner of the server, from a folder that it may read.
run() {
    if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else (cd / && "$@"); fi
}

case $1 in
start)
    [ "$(id -u)" != 0 ] || chown postgres "$folder"
    # A path of a socket has at most 107 bytes.
    socket=$folder
    [ ${#socket} -le 80 ] || socket=$(run mktemp -d /tmp/allot-postgresql.XXXXXX)
    if [ ! -f "$folder/data/PG_VERSION" ]; then
        run "$programs/initdb" -D "$folder/data" -U allot --auth=trust --encoding=UTF8 --locale=C.UTF-8 \
            --no-sync >"$folder.log" 2>&1 || { cat "$folder.log" >&2; exit 1; }
        rm -f "$folder.log"
    fi
    options="-k '$socket' -c listen_addresses='' -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    options="$options -c max_connections=20 -c shared_buffers=128MB -c autovacuum=off"
    run "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -o "$options" -w -s start >&2 ||
        { run cat "$folder/log" >&2; exit 1; }
    # Not the collation C, which orders by bytes: statements have to ask for that themselves.
    psql() { run "$programs/psql" -X -q -h "$socket" -U allot -d postgres -c "$1" 2>/dev/null; }
    new="CREATE DATABASE allot TEMPLATE template0 ENCODING 'UTF8'"
    psql "$new LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'" ||
        psql "$new LOCALE 'en_US.utf8'" || psql "$new LOCALE 'C.UTF-8'" ||
        run "$programs/psql" -X -h "$socket" -U allot -d allot -c "SELECT 1" >/dev/null
    echo "host=$socket user=allot dbname=allot"
    ;;
stop)
    socket=$(sed -n 5p "$folder/data/postmaster.pid" 2>/dev/null || true)
    run "$programs/pg_ctl" -D "$folder/data" -m immediate -w -s stop >&2
    case $socket in /tmp/allot-postgresql.*) rm -rf "$socket" ;; esac
    ;;
*) usage ;;
esac
