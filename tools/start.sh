# npm start: the command line of Dagsverk from a clone.
set -eu
. "$(dirname "$0")/node.sh"
. tools/web.sh

build_web

# exec: signals must reach the server.
exec node --disable-proto=delete src/dagsverk.js "$@"
