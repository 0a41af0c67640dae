# npm start: the command line of Dagsverk from a clone.
set -eu
. "$(dirname "$0")/node.sh"
. tools/bundles.sh

build_web
build_server

# Child processes use the compile cache too.
export NODE_COMPILE_CACHE="$PWD/.tools/compile-cache"

# npm has changed to the clone. Relative paths are those of the caller; the data folder is here, wherever the caller is.
program=$PWD/dist/main.js
export DAGSVERK_DEFAULT_DATA_DIR="$PWD/data"
cd "${INIT_CWD:-$PWD}"

# exec: signals must reach the server.
exec node --disable-proto=delete --max-semi-space-size=4 --v8-pool-size=2 "$program" "$@"
