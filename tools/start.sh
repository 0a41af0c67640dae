# npm start: the command line of Dagsverk from a clone. Without a command it serves.
set -eu
. "$(dirname "$0")/node.sh"

case "${1-}" in
  -h | --help | -V | --version) ;;
  '' | -*) set -- serve "$@" ;;
esac

# exec: a signal meant for the server must reach it.
exec node --conditions=dagsverk-src --disable-proto=delete src/dagsverk.js "$@"
