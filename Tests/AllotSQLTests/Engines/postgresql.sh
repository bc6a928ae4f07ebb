#!/usr/bin/env bash
# A PostgreSQL server for one run of the tests: postgresql.sh start|stop FOLDER [durable]
# `start` makes a cluster in FOLDER, which it creates, listening to a socket in it alone, and prints the connection
# string; it starts one that is there again, also after a kill. Without `durable` it does not wait for the disk.
# Root may run it as well: the server then runs as the user `postgres`, as it refuses to run as root.
set -eu

usage() { echo "usage: postgresql.sh start|stop FOLDER [durable]" >&2; exit 64; }
[ $# = 2 ] || { [ $# = 3 ] && [ "$3" = durable ]; } || usage
mkdir -p "$2"
folder=$(cd "$2" && pwd -P)

programs=$(command -v pg_ctl >/dev/null && dirname "$(readlink -f "$(command -v pg_ctl)")" ||
    find /usr/lib/postgresql /usr/local /opt -path '*/bin/pg_ctl' -exec dirname {} \; 2>/dev/null | sort -V | tail -1)
[ -n "$programs" ] || { echo "postgresql.sh: there is no pg_ctl; install postgresql" >&2; exit 1; }

# As the owner of the server, from a folder that it may read.
run() {
    if [ "$(id -u)" = 0 ]; then (cd / && runuser -u postgres -- "$@"); else (cd / && "$@"); fi
}

# Without the caller's open files, which a server would keep open, and a caller may wait for their end.
detached() (
    for file in /dev/fd/*; do
        [ "${file##*/}" -le 2 ] || eval "exec ${file##*/}>&-"
    done
    run "$@"
)

case $1 in
start)
    [ "$(id -u)" != 0 ] || chown postgres "$folder"
    # A path of a socket has at most 107 bytes. A cluster that was killed left the path in a file.
    socket=$folder
    [ ${#socket} -le 80 ] || socket=$(cat "$folder/socket" 2>/dev/null || run mktemp -d /tmp/allot-postgresql.XXXXXX)
    [ "$socket" = "$folder" ] || echo "$socket" >"$folder/socket"
    if [ ! -f "$folder/data/PG_VERSION" ]; then
        run "$programs/initdb" -D "$folder/data" -U allot --auth=trust --encoding=UTF8 --locale=C.UTF-8 \
            --no-sync >"$folder.log" 2>&1 || { cat "$folder.log" >&2; exit 1; }
        rm -f "$folder.log"
    fi
    options="-k '$socket' -c listen_addresses='' -c max_connections=300 -c shared_buffers=128MB -c autovacuum=off"
    [ "${3:-}" = durable ] || options="$options -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    # Processes of a killed server let go of its memory a little later.
    tries=0
    until detached "$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -o "$options" -w -s start >&2 </dev/null; do
        tries=$((tries + 1))
        [ $tries -lt 50 ] || { run cat "$folder/log" >&2; exit 1; }
        sleep 0.2
    done
    # Not the collation C, which orders by bytes: statements have to ask for that themselves.
    psql() { run "$programs/psql" -X -q -h "$socket" -U allot -d "$1" -c "$2" >/dev/null 2>&1; }
    new="CREATE DATABASE allot TEMPLATE template0 ENCODING 'UTF8'"
    psql allot "SELECT 1" ||
        psql postgres "$new LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'" ||
        psql postgres "$new LOCALE 'en_US.utf8'" || psql postgres "$new LOCALE 'C.UTF-8'" ||
        { echo "postgresql.sh: there is no database allot" >&2; exit 1; }
    echo "host=$socket user=allot dbname=allot"
    ;;
stop)
    socket=$(sed -n 5p "$folder/data/postmaster.pid" 2>/dev/null || true)
    run "$programs/pg_ctl" -D "$folder/data" -m immediate -w -s stop >&2
    case $socket in /tmp/allot-postgresql.*) rm -rf "$socket" ;; esac
    ;;
*) usage ;;
esac
