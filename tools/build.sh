# npm run pack and npm publish: builds the contents of the package: the browser app and the server as JavaScript.
set -eu
. "$(dirname "$0")/node.sh"
. tools/web.sh

build_web
# Output of deleted sources would be packed too.
rm -rf dist
exec node_modules/.bin/tsc -p tsconfig.build.json
