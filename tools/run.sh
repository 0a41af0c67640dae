# Runs an installed tool: sh tools/run.sh TOOL ARGUMENT...
set -eu
. "$(dirname "$0")/node.sh"

tool=$1
shift
exec "node_modules/.bin/$tool" "$@"
