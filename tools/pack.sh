# npm run pack: creates dagsverk-VERSION.tgz here, or in --pack-destination FOLDER.
set -eu
. "$(dirname "$0")/node.sh"

# The prepack script builds; .npmrc disables scripts unless enabled explicitly.
exec npm pack --ignore-scripts=false --pack-destination "$PWD" "$@"
