# Runs tests with vitest, and starts a PostgreSQL for them. Arguments go to vitest: a path runs that file alone.
#
# DAGSVERK_TEST_SCOPE    fast: pure tests and the interface, on SQLite; standard: `npm test`; all (the default)
# DAGSVERK_TEST_REQUIRE  requirements that must be met, as in postgres,php
# DAGSVERK_TEST_DATA     the folder of the databases: /dev/shm if it has 8 GiB free (the default), otherwise that of temporary files
# DAGSVERK_TEST_WITH     tells the tests which requirements are met: tests that need another are skipped
set -eu
. "$(dirname "$0")/node.sh"
. tools/debian.sh
. tools/postgres.sh
. tools/requirements.sh
. tools/bundles.sh

require_all() {
  for name in $(echo "${DAGSVERK_TEST_REQUIRE-}" | tr , ' '); do
    case ",$met," in
      *",$name,"*) ;;
      *)
        say "DAGSVERK_TEST_REQUIRE names $name, which is not on this machine and could not be installed"
        exit 1
        ;;
    esac
  done
}

# On a disk, commits and the 300 files of each PostgreSQL database take much of the time of the tests. Tests also run
# scripts from their folders.
folder_in_memory() {
  free_kib=$(df -P /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
  if [ "${free_kib:-0}" -ge $((8 * 1024 * 1024)) ] && [ -w /dev/shm ] && ! grep -q ' /dev/shm .*noexec' /proc/mounts
  then echo /dev/shm
  else echo "${TMPDIR:-/tmp}"
  fi
}

# The tests run in the background, for a shell that waits in the foreground does not hear a signal.
tests=
clean_up() {
  trap '' INT TERM
  [ -z "$tests" ] || kill "$tests" 2>/dev/null || :
  stop_postgres
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

export DAGSVERK_TEST_SCOPE="${DAGSVERK_TEST_SCOPE-all}"
export DAGSVERK_TEST_DATA="${DAGSVERK_TEST_DATA-$(folder_in_memory)}"
met=
unmet=
if [ "$DAGSVERK_TEST_SCOPE" != fast ]; then
  build_web
  # Tests that run it beside one another would build it at the same time.
  build_server
  # Packages are installed without a question only for root, who runs this in a container.
  if is_root; then check_requirements yes; else check_requirements no; fi
  require_all
  [ -n "${DAGSVERK_TEST_POSTGRES_URL-}" ] || ! has_postgres || start_postgres
fi
export DAGSVERK_TEST_WITH="$met"

node_modules/.bin/vitest run "$@" &
tests=$!
status=0
wait "$tests" || status=$?

[ -z "$unmet" ] || say "skipped, for lack of:$unmet. Install them with: npm run setup:tests"
exit "$status"
