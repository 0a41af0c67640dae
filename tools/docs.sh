# npm run docs: builds the site of the documentation into .site/, and fails on a link that leads nowhere.
set -eu
. "$(dirname "$0")/node.sh"

install_locked tools/docs 'VitePress'
exec tools/docs/node_modules/.bin/vitepress build tools/docs "$@"
