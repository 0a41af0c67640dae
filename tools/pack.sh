# npm run pack: makes dagsverk-VERSION.tgz here, or in the folder of --pack-destination FOLDER.
set -eu
. "$(dirname "$0")/node.sh"

# The build is prepack's, and .npmrc keeps npm from running it unless told.
exec npm pack --ignore-scripts=false --pack-destination "$PWD" "$@"
