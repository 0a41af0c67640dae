# npm pack and npm publish: what the published package holds, the browser app and the server as JavaScript.
set -eu
. "$(dirname "$0")/node.sh"
. tools/web.sh

build_web
exec node_modules/.bin/tsc -p tsconfig.build.json
