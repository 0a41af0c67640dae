# Builds the package that is published: sh tools/pack.sh [--pack-destination FOLDER]
set -eu
. "$(dirname "$0")/node.sh"

# The build is prepack's, and .npmrc keeps npm from running it unless told.
rm -rf dist
exec npm pack --ignore-scripts=false "$@"
