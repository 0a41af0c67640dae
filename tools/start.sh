# npm start: the command line of Dagsverk from a clone.
set -eu
. "$(dirname "$0")/node.sh"

# exec: a signal meant for the server must reach it.
exec node --conditions=dagsverk-src --disable-proto=delete src/dagsverk.js "$@"
