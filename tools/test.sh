# npm test: brings up what the tests need beside Node, and runs them. Arguments go to vitest.
#
# DAGSVERK_TEST_REQUIRE  needs that may not go unmet, as in postgres,php
# DAGSVERK_TEST_WITH     tells the tests which needs are met: they skip what hangs on another
set -eu
. "$(dirname "$0")/node.sh"
. tools/debian.sh
. tools/postgres.sh
. tools/web.sh

met=
unmet=

# need NAME INSTALLER ARGUMENT...: has_NAME decides, if need be after an installation.
need() {
  name=$1
  shift
  if "has_$name" || { "$@" && "has_$name"; }; then met="$met,$name"; else unmet="$unmet $name"; fi
}

has_curl() { command -v curl >/dev/null; }

has_python() { command -v python3 >/dev/null; }
has_php() {
  php -r 'exit(extension_loaded("curl") ? 0 : 1);' >/dev/null 2>&1
}

has_chromium() { command -v chromium >/dev/null; }
has_mono() {
  command -v mono >/dev/null && command -v mcs >/dev/null && [ -d /usr/lib/cli/Newtonsoft.Json-5.0 ]
}

has_odata2ts() { is_installed tests/clients/odata2ts; }

refuse_unmet() {
  for name in $(echo "${DAGSVERK_TEST_REQUIRE-}" | tr , ' '); do
    case "$met," in
      *",$name,"*) ;;
      *)
        say "DAGSVERK_TEST_REQUIRE names $name, which is not on this machine and could not be installed"
        exit 1
        ;;
    esac
  done
}

build_web
need postgres install_postgres
need curl install_packages curl
need python install_packages python3
need php install_packages php-cli php-curl
need mono install_packages mono-mcs mono-runtime libmono-system-net-http4.0-cil libnewtonsoft-json5.0-cil
need chromium install_packages chromium
need odata2ts install_locked tests/clients/odata2ts 'a client with a TypeScript of its own'
refuse_unmet
export DAGSVERK_TEST_WITH="${met#,}"

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

[ -n "${DAGSVERK_TEST_POSTGRES_URL-}" ] || start_postgres
node_modules/.bin/vitest run "$@" &
tests=$!
status=0
wait "$tests" || status=$?

[ -z "$unmet" ] || say "not tested, for want of what it needs:$unmet"
exit "$status"
