# Sourced by test.sh: starts a PostgreSQL server for one test run.
#
# DAGSVERK_TEST_POSTGRES_URL   an existing server to use, with the right to create databases
# DAGSVERK_TEST_POSTGRES_BIN   the folder of initdb and pg_ctl, for tests that start a server of their own
# DAGSVERK_TEST_POSTGRES_USER  the user to run them as: set for root, which PostgreSQL rejects

cluster=

has_postgres() {
  [ -n "${DAGSVERK_TEST_POSTGRES_URL-}" ] || find_postgres
}

# PostgreSQL 15 is the oldest supported version.
find_postgres() {
  unpacked=$PWD/.tools/debian/usr/lib
  [ ! -d "$unpacked" ] || export LD_LIBRARY_PATH="$unpacked/$(uname -m)-linux-gnu"
  for bin in "$(pg_config --bindir 2>/dev/null)" /usr/lib/postgresql/*/bin "$unpacked"/postgresql/*/bin; do
    if "$bin/postgres" --version 2>/dev/null | grep -Eq ' (1[5-9]|[2-9][0-9])'; then
      export DAGSVERK_TEST_POSTGRES_BIN="$bin"
      return
    fi
  done
  return 1
}

install_postgres() {
  is_root || { unpack_packages postgresql; return; }
  # Only the programs are required: do not create a cluster that starts at boot.
  if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    mkdir -p /etc/postgresql-common
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  fi
  install_packages postgresql
}

# The data is deleted after the run, so fsync is off.
start_postgres() {
  cluster=$(mktemp -d "$DAGSVERK_TEST_DATA/dagsverk-postgres.XXXXXX")
  if is_root; then
    export DAGSVERK_TEST_POSTGRES_USER="$(id -nu postgres 2>/dev/null || echo nobody)"
    chown "$DAGSVERK_TEST_POSTGRES_USER" "$cluster"
  fi
  port=$(free_port)
  postgres_program initdb --username=postgres --auth=trust --locale=C.UTF-8 --encoding=UTF8 --no-sync
  cat >>"$cluster/data/postgresql.conf" <<END
listen_addresses = '127.0.0.1'
port = $port
unix_socket_directories = '$cluster'
max_connections = 200
fsync = off
full_page_writes = off
END
  postgres_program pg_ctl --wait --log="$cluster/server.log" start
  export DAGSVERK_TEST_POSTGRES_URL="postgres://postgres@127.0.0.1:$port/postgres"
}

stop_postgres() {
  [ -n "$cluster" ] || return 0
  [ ! -e "$cluster/data/postmaster.pid" ] || postgres_program pg_ctl --mode=immediate stop || :
  rm -rf "$cluster"
}

# postgres_program NAME ARGUMENT...: runs it on the cluster, as a user that PostgreSQL accepts.
postgres_program() {
  program=$DAGSVERK_TEST_POSTGRES_BIN/$1
  shift
  set -- "$program" --pgdata="$cluster/data" "$@"
  ! is_root || set -- runuser -u "$DAGSVERK_TEST_POSTGRES_USER" -- "$@"
  (cd "$cluster" && "$@") >"$cluster/program.log" 2>&1 || { cat "$cluster"/*.log >&2; return 1; }
}

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'
}
