# npm run pack and npm publish: what the package holds, the browser app and the server as JavaScript.
set -eu
. "$(dirname "$0")/node.sh"
. tools/web.sh

build_web
# What was built of a file that is gone would be packed too.
rm -rf dist
exec node_modules/.bin/tsc -p tsconfig.build.json
