# npm pack and npm publish: builds the browser app, the server, and the types of the client, and notes the commit.
set -eu
. "$(dirname "$0")/node.sh"
. tools/bundles.sh

build_web
build_server
node_modules/.bin/tsc -p tsconfig.build.json
git rev-parse --short=12 HEAD >dist/commit 2>/dev/null || rm dist/commit
