# npm pack and npm publish: builds the browser app, the server, and the types of the client.
set -eu
. "$(dirname "$0")/node.sh"
. tools/bundles.sh

build_web
build_server
exec node_modules/.bin/tsc -p tsconfig.build.json
